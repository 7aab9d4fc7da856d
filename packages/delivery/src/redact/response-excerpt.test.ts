// Risk: response headers and bodies grow without bound, break the database or the dashboard, or contain secrets.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BodyForm, bodySnippet, responseHeaders } from './response-excerpt.ts';

const rawHeaders = (pairs: readonly (readonly [string, string])[]): string[] => pairs.flat();

test('cookies, credentials and connection headers are not kept', () => {
  const kept = responseHeaders(
    rawHeaders([
      ['content-type', 'text/plain'],
      ['connection', 'keep-alive'],
      ['set-cookie', 'sid=1'],
      ['www-authenticate', 'Bearer realm=x'],
      ['x-echo', 'a'],
      ['x-echo', 'Bearer abcdefgh'],
    ]),
  );
  expect(kept).toEqual({ 'content-type': 'text/plain', 'x-echo': 'a, Bearer [redacted]' });
});

test('count and length are bounded, and retry-after is always kept', () => {
  const many = Array.from({ length: 100 }, (_, index): [string, string] => [`x-${index}`, 'v'.repeat(1000)]);
  const kept = responseHeaders(rawHeaders([...many, ['retry-after', '30']]));
  expect(Object.keys(kept)).toHaveLength(33);
  expect(kept['retry-after']).toBe('30');
  expect(kept['x-0']).toHaveLength(256);
});

test('a header named __proto__ is plain data', () => {
  const kept = responseHeaders(['__proto__', 'x']);
  expect(Object.keys(kept)).toEqual(['__proto__']);
});

const snippet = (text: string, maxBytes = 4096) => bodySnippet(Buffer.from(text), undefined, maxBytes);

test('plain text is kept, control and reordering characters are not', () => {
  expect(snippet('ok\n\tdone')).toBe('ok\n\tdone');
  expect(snippet('a\u0000b\u001b[31mc\u0085d\u202ee\ufeff')).toBe('ab[31mcde');
  expect(bodySnippet(new Uint8Array(), undefined, 10)).toBe('');
});

test('a character that the cut goes through is dropped whole', () => {
  expect(snippet('aé', 2)).toBe('a');
  expect(snippet('ab€', 4)).toBe('ab');
});

test('a secret that straddles the end of the snippet leaves nothing of itself', () => {
  const key = `sk_live_${'Q'.repeat(36)}`;
  for (let length = 0; length < 50; length += 1) {
    expect(snippet(`${'x '.repeat(5)}${key}`.slice(0, 10 + length), 30)).not.toContain('Q');
  }
});

const failed = (coding: string, type = 'text/plain'): BodyForm => ({ coding, type, isError: true });

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const)('the body of an error that is compressed with %s is unpacked', (coding, pack) => {
  expect(bodySnippet(pack('the real reason'), failed(coding), 4096)).toBe('the real reason');
  const long = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('');
  const start = bodySnippet(pack(long).subarray(0, 4096), failed(coding), 4096);
  expect(start.length).toBeGreaterThan(1000);
  expect(long.startsWith(start)).toBe(true);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('of a body that unpacks to 30 MB with %s, 4 KiB are', (coding, pack) => {
  const bomb = pack(Buffer.alloc(30e6, 'x'));
  const text = bodySnippet(bomb.subarray(0, 4608), failed(coding), 4096);
  expect(text).toMatch(/^x*$|^\[compressed response body\]$/);
  expect(text.length).toBeLessThanOrEqual(4096);
});

test('a compressed body of a success, of an unknown coding, or that is broken is named only', () => {
  const packed = gzipSync('hello');
  for (const form of [{ ...failed('gzip'), isError: false }, failed('zip'), failed('gzip, br'), failed('br')]) {
    expect(bodySnippet(packed, form, 4096)).toBe('[compressed response body]');
  }
});

test('text that claims to be compressed is kept as it is', () => {
  expect(bodySnippet(Buffer.from('plain\r\ntext'), failed('gzip'), 4096)).toBe('plain\ntext');
});

test('a secret in a compressed body is redacted', () => {
  expect(bodySnippet(gzipSync(`key sk_live_${'Q'.repeat(36)}`), failed('gzip'), 4096)).not.toContain('Q');
});

test.each([
  ['text/plain; charset=iso-8859-1', [0x63, 0x61, 0x66, 0xe9], 'café'],
  ['text/plain;charset="Shift_JIS"', [0x83, 0x47, 0x83, 0x89, 0x81, 0x5b], 'エラー'],
  ['text/plain; charset=utf-16', [0xff, 0xfe, 0x6f, 0, 0x6b, 0], 'ok'],
  ['text/plain; charset=klingon', [0x63, 0xc3, 0xa9], 'cé'],
  ['text/plain', [0x63, 0xc3, 0xa9], 'cé'],
])('a body of type %s is decoded', (type, bytes, text) => {
  expect(bodySnippet(Uint8Array.from(bytes), failed('', type), 4096)).toBe(text);
});

test('header values are read as UTF-8, and as latin1 where they are not', () => {
  const utf8 = Buffer.from('d’accord').toString('latin1');
  expect(responseHeaders(['x-a', utf8, 'x-b', 'caf\xe9'])).toEqual({ 'x-a': 'd’accord', 'x-b': 'café' });
});

test('a header that is repeated often is joined in linear time, and truncated', () => {
  const kept = responseHeaders(Array.from({ length: 30_000 }, () => ['x-many', 'v']).flat());
  expect(kept['x-many']).toHaveLength(256);
});

test('any bytes give valid, printable UTF-8 within the limit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 200 }), (bytes, maxBytes) => {
      const text = bodySnippet(bytes, undefined, maxBytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[^\P{Cc}\t\n]/u);
    }),
  );
});

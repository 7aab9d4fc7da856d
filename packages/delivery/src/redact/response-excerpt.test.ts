// Risk: response headers grow without bound, or carry a cookie or a credential into the attempt log.
// Risk: a receiver's response breaks the database or the dashboard, or puts a secret into them.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodySnippet, responseHeaders } from './response-excerpt.ts';

test('S23: cookies, credentials and connection headers are not kept', () => {
  const kept = responseHeaders({
    'content-type': 'text/plain',
    connection: 'keep-alive',
    'set-cookie': ['sid=1'],
    'www-authenticate': 'Bearer realm=x',
    'x-echo': ['a', 'Bearer abcdefgh'],
  });
  expect(kept).toEqual({ 'content-type': 'text/plain', 'x-echo': 'a, Bearer [redacted]' });
});

test('count and length are bounded, and retry-after is always kept', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'v'.repeat(1000)]));
  const kept = responseHeaders({ ...many, 'retry-after': '30' });
  expect(Object.keys(kept)).toHaveLength(33);
  expect(kept['retry-after']).toBe('30');
  expect(kept['x-0']).toHaveLength(256);
});

test('S32: a header named __proto__ is plain data', () => {
  const kept = responseHeaders(JSON.parse('{"__proto__":"x"}'));
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

test('S23: a secret that straddles the end of the snippet leaves nothing of itself', () => {
  const key = `sk_live_${'Q'.repeat(36)}`;
  for (let length = 0; length < 50; length += 1) {
    expect(snippet(`${'x '.repeat(5)}${key}`.slice(0, 10 + length), 30)).not.toContain('Q');
  }
});

test('a compressed body is named, not unpacked', () => {
  expect(bodySnippet(gzipSync('hello'), 'gzip', 4096)).toBe('[compressed response body]');
  expect(bodySnippet(Buffer.from('hello'), 'identity', 4096)).toBe('hello');
});

test('S23: any bytes give valid, printable UTF-8 within the limit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 200 }), (bytes, maxBytes) => {
      const text = bodySnippet(bytes, undefined, maxBytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[^\P{Cc}\t\n]/u);
    }),
  );
});

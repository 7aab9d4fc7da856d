// Risk: a body larger than allowed is held in memory, or bytes are decoded wrongly.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { errors } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import { checkContentType, decodeBody, readBody, receiveJson } from './read-body.ts';

const LIMIT = 1_000;

function chunks(...parts: (string | Uint8Array)[]): Readable {
  return Readable.from(parts.map((part) => Buffer.from(part)));
}

describe('readBody', () => {
  test('joins the chunks of a body up to the limit', async () => {
    expect((await readBody(chunks('ab', 'c', 'd'), {}, LIMIT)).toString()).toBe('abcd');
    expect(await readBody(chunks(), {}, LIMIT)).toHaveLength(0);
    expect(await readBody(chunks('x'.repeat(600), 'x'.repeat(400)), {}, LIMIT)).toHaveLength(LIMIT);
  });

  test('rejects a declared length over the limit without reading', async () => {
    let read = false;
    const stream = new Readable({
      read() {
        read = true;
      },
    });
    await expect(readBody(stream, { 'content-length': String(LIMIT + 1) }, LIMIT)).rejects.toMatchObject({
      code: 'body_too_large',
      extra: { limit_bytes: LIMIT },
    });
    expect(read).toBe(false);
  });

  test('stops in the middle of a body without or with a wrong length', async () => {
    let sent = 0;
    const endless = new Readable({
      read() {
        sent += 100;
        this.push(Buffer.alloc(100));
      },
      highWaterMark: 100,
    });
    await expect(readBody(endless, { 'content-length': '5' }, LIMIT)).rejects.toMatchObject({ code: 'body_too_large' });
    expect(sent).toBeLessThan(3 * LIMIT);
  });

  test('the limit applies to inflated bytes, and stops inflating', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const before = process.memoryUsage().arrayBuffers;
    await expect(readBody(chunks(bomb), { 'content-encoding': 'gzip' }, LIMIT)).rejects.toMatchObject({
      code: 'body_too_large',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    const fits = await readBody(chunks(gzipSync('x'.repeat(LIMIT))), { 'content-encoding': ' GZIP ' }, LIMIT);
    expect(fits).toHaveLength(LIMIT);
  });

  test.each(['identity', 'gzip'])('50 000 values are accepted; at one more reading stops (%s)', async (encoding) => {
    const encode = (text: string) => (encoding === 'gzip' ? gzipSync(text, { level: 1 }) : Buffer.from(text));
    const values = (count: number) => `[${Array(count).fill('1e9').join()}]`;
    const read = (stream: Readable) => readBody(stream, { 'content-encoding': encoding }, 2 ** 21);
    expect(await read(chunks(encode(values(50_000))))).toHaveLength(200_001);
    for (const text of [values(50_001), values(500_000), `[${'{},'.repeat(25_001)}`]) {
      // A stream that never ends: reading on would wait forever.
      const open = new Readable({ read: () => undefined });
      open.push(encode(text));
      await expect(read(open)).rejects.toMatchObject({ code: 'body_too_large', extra: { limit_values: 50_000 } });
    }
  });

  test('commas and brackets inside of strings are no values, wherever chunks end', async () => {
    const text = JSON.stringify({ memo: `,[{"\\,`.repeat(20_000) });
    const single = Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte)));
    expect((await readBody(single, {}, 2 ** 21)).toString()).toBe(text);
  });

  test('rejects broken gzip and other encodings', async () => {
    for (const broken of [Buffer.from('plain'), gzipSync('text').subarray(0, 10), Buffer.alloc(0)]) {
      await expect(readBody(chunks(broken), { 'content-encoding': 'gzip' }, LIMIT)).rejects.toMatchObject({
        code: 'malformed_body',
      });
    }
    await expect(readBody(chunks('x'), { 'content-encoding': 'br' }, LIMIT)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
    expect((await readBody(chunks('x'), { 'content-encoding': 'identity' }, LIMIT)).toString()).toBe('x');
  });

  test.each(['identity', 'gzip'])('a sender that disconnects ends the reading (%s)', async (encoding) => {
    const stream = new Readable({ read: () => undefined });
    stream.push(encoding === 'gzip' ? gzipSync('some text').subarray(0, 12) : 'some');
    const reading = readBody(stream, { 'content-encoding': encoding }, LIMIT);
    stream.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'malformed_body' });
  });
});

test.each([
  ['duplicate_json_key', 'pointer', '{"a":1,"a":1}'],
  ['body_too_large', 'limit_bytes', `"${'x'.repeat(200_000)}"`],
  ['body_too_large', 'limit_values', `[${'1,'.repeat(50_000)}1]`],
] as const)(
  'the entry of %s names %s, in which the rejection tells more, and not `errors`, which it lacks',
  async (code, member, text) => {
    const receive = () => () => undefined;
    const request = new IncomingMessage(new Socket());
    request.push(text);
    request.push(null);
    const reading = receiveJson(request, { receive, bodyLimit: 150_000 });
    await expect(reading).rejects.toMatchObject({ code, extra: { [member]: expect.anything() } });
    const told = errors[code].meaning + errors[code].action;
    expect(told).toContain(`\`${member}\``);
    expect(told).not.toContain('`errors`');
  },
);

test('decodeBody drops a byte order mark and accepts only UTF-8', () => {
  expect(decodeBody(Buffer.from('\ufeffü'))).toBe('ü');
  expect(decodeBody(Buffer.from('\ufeff\ufeffx'))).toBe('\ufeffx');
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    expect(() => decodeBody(Uint8Array.from(bytes))).toThrow('not valid UTF-8');
  }
  expect(decodeBody(Buffer.from('still works'))).toBe('still works');
});

describe('checkContentType', () => {
  test.each([
    undefined,
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8; x=y',
  ])('accepts %s', (type) => {
    expect(() => checkContentType(type === undefined ? {} : { 'content-type': type })).not.toThrow();
  });

  test.each([
    'text/json',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/problem+json',
    'multipart/form-data',
    'json',
    ';',
    'application/json, text/plain',
  ])('rejects %s', (type) => {
    expect(() => checkContentType({ 'content-type': type })).toThrow(/application\/json/);
  });
});

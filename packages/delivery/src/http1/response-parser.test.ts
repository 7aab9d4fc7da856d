// Risk: a response depends on how its bytes arrive, hangs the worker, or is rejected without a reason.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxHeaderBytes, maxInterimBytes, maxInterimResponses } from './limits.ts';
import { ProtocolError } from './protocol-error.ts';
import { ResponseParser } from './response-parser.ts';

type Parsed = {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
  readonly isComplete: boolean;
  readonly keepAlive: boolean | undefined;
  /** Bytes after the response. */
  readonly left: number;
  readonly error: string | undefined;
};

/** Parses the pieces, and the end of the connection if `closes`. */
function parse(pieces: readonly (string | Uint8Array)[], closes = false): Parsed {
  let status: number | undefined;
  let headers: readonly string[] = [];
  let body = '';
  let error: string | undefined;
  let left = 0;
  const parser = new ResponseParser({
    onHead: (head) => {
      if (status !== undefined) throw new Error('a second head');
      ({ statusCode: status, headers } = head);
    },
    onBody: (data) => {
      if (data.length === 0) throw new Error('an empty piece');
      body += data.toString('latin1');
    },
  });
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece);
      const used = parser.isComplete ? 0 : parser.push(bytes);
      if (used < bytes.length && !parser.isComplete) throw new Error('bytes were left out');
      left += bytes.length - used;
    }
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown;
    expect(thrown.message).toMatch(/^[A-Z].{20,}\.$/);
    error = thrown.code;
  }
  if (closes && error === undefined) parser.end();
  return { status, headers, body, isComplete: parser.isComplete, keepAlive: parser.framing?.keepAlive, left, error };
}

const head = (lines: string, status = '200 OK') => `HTTP/1.1 ${status}\r\n${lines}\r\n`;
const hello = `${head('content-length: 5\r\n')}hello`;
const chunked = head('transfer-encoding: chunked\r\n');

describe('complete responses', () => {
  test.each([
    ['a length', hello, 'hello'],
    ['no body by its length', head('content-length: 0\r\n'), ''],
    ['no body by its status', head('content-length: 7\r\n', '204 No Content'), ''],
    ['304 with a length', head('content-length: 7\r\n', '304 Not Modified'), ''],
    ['chunks', `${chunked}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`, 'hello'],
    ['chunks with extensions, and trailers', `${chunked}5;a="b;c"\r\nhello\r\n000\r\nx-t: 1\r\n\r\n`, 'hello'],
    ['a chunk size in upper case', `${chunked}A\r\n0123456789\r\n0\r\n\r\n`, '0123456789'],
    ['the same length twice', `${head('content-length: 5\r\ncontent-length: 5\r\n')}hello`, 'hello'],
    ['the same length in a list', `${head('content-length: 5, 5\r\n')}hello`, 'hello'],
    ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello', 'hello'],
    ['a reason beyond ASCII', 'HTTP/1.1 200 D\xe2\x80\x99accord\r\ncontent-length: 5\r\n\r\nhello', 'hello'],
    ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 5\n\nhello', 'hello'],
    ['an empty line before it', `\r\n${hello}`, 'hello'],
    ['a higher minor version', 'HTTP/1.2 200 OK\r\ncontent-length: 5\r\n\r\nhello', 'hello'],
    ['a folded header', `${head('x-a: b\r\n  c\r\n\t d\r\ncontent-length: 5\r\n')}hello`, 'hello'],
    ['a folded length', `${head('content-length:\r\n 5\r\n')}hello`, 'hello'],
    ['a header without a value', `${head('x-empty:\r\ncontent-length: 5\r\n')}hello`, 'hello'],
    ['an interim response', `${head('', '100 Continue')}${hello}`, 'hello'],
    ['interim responses', `${head('link: </x>\r\n', '103 Early Hints').repeat(maxInterimResponses)}${hello}`, 'hello'],
    [
      'headers of just the limit',
      `${head(`x: ${'a'.repeat(maxHeaderBytes - 43)}\r\ncontent-length: 5\r\n`)}hello`,
      'hello',
    ],
  ])('with %s', (_what, text, body) => {
    expect(parse([text])).toMatchObject({ body, isComplete: true, keepAlive: true, left: 0, error: undefined });
  });

  test.each([
    ['HTTP/1.1 without a length', head(''), false],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\n', false],
    ['a transfer encoding that does not end with chunked', head('transfer-encoding: gzip\r\n'), false],
  ])('%s ends when the connection closes', (_what, text, keepAlive) => {
    expect(parse([text, 'hello'])).toMatchObject({ body: 'hello', isComplete: false });
    expect(parse([text, 'hello'], true)).toMatchObject({ body: 'hello', isComplete: true, keepAlive });
  });

  test.each([
    ['connection: close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', false],
    ['close in a list', 'HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: 0\r\n\r\n', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false],
    ['HTTP/1.0 with keep-alive', 'HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n', true],
    [
      'HTTP/1.0 with chunks',
      'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      false,
    ],
  ])('the connection after %s is kept: %s', (_what, text, keepAlive) => {
    expect(parse([text])).toMatchObject({ isComplete: true, keepAlive });
  });

  test('a folded header reads as one value, and names are in lower case', () => {
    expect(parse([head('X-A: b\r\n  c \r\n \r\n\t d\r\nX-B:\r\n e\r\ncontent-length: 0\r\n')]).headers).toEqual([
      'x-a',
      'b c d',
      'x-b',
      'e',
      'content-length',
      '0',
    ]);
  });

  test.each([
    ['Keep-Alive: timeout=5, max=100', 5],
    ['keep-alive: max=3;timeout="7"', 7],
    ['keep-alive: soon', undefined],
  ])('%s ends the idle connection after %s s', (line, seconds) => {
    let parser = new ResponseParser({ onHead: () => undefined, onBody: () => undefined });
    parser.push(Buffer.from(head(`${line}\r\ncontent-length: 0\r\n`)));
    expect(parser.framing?.idleSeconds).toBe(seconds);
    parser = new ResponseParser({ onHead: () => undefined, onBody: () => undefined });
    expect(parser.framing).toBeUndefined();
  });
});

describe('a response that breaks the protocol is rejected with the reason:', () => {
  test.each([
    ['not_http', 'SSH-2.0-OpenSSH\r\n'],
    ['not_http', 'ok\r\n'],
    ['http_version', 'HTTP/2 200 OK\r\n'],
    ['http_version', 'HTTP/0.9 200 OK\r\n'],
    ['status_out_of_range', 'HTTP/1.1 99 X\r\n'],
    ['status_out_of_range', 'HTTP/1.1 099 X\r\n'],
    ['status_out_of_range', 'HTTP/1.1 1000 X\r\n'],
    ['status_out_of_range', 'HTTP/1.1 OK\r\n'],
    ['header_without_colon', head('hello\r\n')],
    ['header_name_invalid', head(': a\r\n')],
    ['header_name_invalid', head('x y: a\r\n')],
    ['space_before_colon', head('content-length : 2\r\n')],
    ['header_value_invalid', head('x: a\0b\r\n')],
    ['header_value_invalid', head('x: a\rb\r\n')],
    ['header_folding', head(' x: a\r\n')],
    ['content_length_invalid', head('content-length: -1\r\n')],
    ['content_length_invalid', head('content-length: 1e3\r\n')],
    ['content_length_invalid', head('content-length: 99999999999999999999\r\n')],
    ['content_length_invalid', head('content-length:\r\n')],
    ['content_length_conflict', head('content-length: 1\r\ncontent-length: 2\r\n')],
    ['content_length_conflict', head('content-length: 1, 2\r\n')],
    ['length_and_chunked', head('content-length: 1\r\ntransfer-encoding: chunked\r\n')],
    ['switching_protocols', head('upgrade: x\r\n', '101 Switching')],
    ['headers_too_large', head(`x: ${'a'.repeat(maxHeaderBytes)}\r\n`)],
    ['headers_too_large', 'HTTP/1.1 200 OK\r\n'.padEnd(maxHeaderBytes + 1, 'a: b\r\n')],
    ['too_many_interim_responses', head('', '102 Processing').repeat(maxInterimResponses + 1)],
    ['too_many_interim_responses', head(`x: ${'a'.repeat(maxInterimBytes / 50)}\r\n`, '103 Hints').repeat(51)],
    ['too_many_interim_responses', head(`x: ${'a'.repeat(maxInterimBytes)}\r\n`, '103 Hints')],
    ['too_many_interim_responses', head('', '103 Hints') + 'a'.repeat(maxInterimBytes)],
    ['chunk_size_invalid', `${chunked}ZZ\r\nok`],
    ['chunk_size_invalid', `${chunked}\r\n`],
    ['chunk_size_invalid', `${chunked}fffffffffffffffff\r\n`],
    ['chunk_end_missing', `${chunked}2\r\nokay\r\n`],
    ['chunk_overhead', `${chunked}1;${'a'.repeat(70_000)}\r\nx\r\n`],
    ['chunk_overhead', `${chunked}${`1;${'a'.repeat(100)}\r\nx\r\n`.repeat(1000)}`],
    ['trailers_too_large', `${chunked}0\r\nx: ${'a'.repeat(maxHeaderBytes)}\r\n`],
  ])('%s, %j', (code, text) => {
    expect(parse([text])).toMatchObject({ error: code, isComplete: false });
  });

  test('a message that names a limit names its number', () => {
    expect(new ProtocolError('headers_too_large').message).toContain('256 KiB');
    expect(new ProtocolError('too_many_interim_responses').message).toMatch(/100 .*64 KiB/);
  });
});

const responses = [
  hello,
  `${hello}more`,
  'HTTP/1.0 200 OK\r\n\r\nuntil the end',
  `${chunked}2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nx-trailer: 1\r\n\r\n`,
  `${head('link: </a>\r\n', '103 Early Hints')}${head('', '100 Continue')}${hello}`,
  `HTTP/1.1 500 Oops\nx-a: b\n c\nKeep-Alive: timeout=5\nconnection: close\ncontent-length: 3\n\nabc`,
  head('set-cookie: a=b\r\nset-cookie: c=d\r\n', '204 No Content'),
  `${head('content-length: 1\r\ncontent-length: 2\r\n')}ab`,
  `${chunked}2\r\nokay`,
];
const response = fc.constantFrom(...responses);
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

/** Changes, removes, doubles or inserts bytes. */
const mutation = fc.record({
  at: fc.nat(),
  byte: fc.constantFrom(0, 9, 10, 13, 32, 44, 48, 57, 58, 59, 97, 255),
  how: fc.nat({ max: 3 }),
});
const mutated = fc.tuple(response, fc.array(mutation, { minLength: 1, maxLength: 6 })).map(([text, changes]) => {
  let bytes = [...Buffer.from(text, 'latin1')];
  for (const { at, byte, how } of changes) {
    const place = at % (bytes.length + 1);
    if (how === 0) bytes[place] = byte;
    else if (how === 1) bytes.splice(place, 1);
    else if (how === 2) bytes = [...bytes.slice(0, place), ...bytes.slice(Math.max(0, place - 9))];
    else bytes.splice(place, 0, byte);
  }
  return Buffer.from(bytes);
});

/** Bytes after a complete response are seen or not, depending on the pieces. */
const comparable = ({ error, status, headers, body, isComplete, keepAlive, left }: Parsed) =>
  error === undefined ? { status, headers, body, isComplete, keepAlive, left } : { error, status, headers, body };

describe('any bytes', () => {
  test('give the same result in any pieces', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          response.map((text) => Buffer.from(text, 'latin1')),
          mutated,
        ),
        cuts,
        fc.boolean(),
        (bytes, places, closes) => {
          const whole = comparable(parse([bytes], closes));
          expect(comparable(parse(cutAt(bytes, places), closes))).toEqual(whole);
          expect(comparable(parse(cutAt(bytes, Array.from(bytes.keys())), closes))).toEqual(whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('end with a response, a protocol error, or a wait for more', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), cuts, (bytes, places) => {
        const result = parse(cutAt(Buffer.from(bytes), places), true);
        if (result.isComplete) expect(result.status).toBeGreaterThanOrEqual(200);
      }),
      { numRuns: 2_000 },
    );
  });

  test('are looked at once: long heads and many chunks, byte by byte, take linear time', () => {
    const many = `${head(`${'x: y\r\n'.repeat(20_000)}${'z: 1\r\n 2\r\n'.repeat(5_000)}transfer-encoding: chunked\r\n`)}`;
    const text = `${many}${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`;
    const bytes = Buffer.from(text);
    expect(parse(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))).toMatchObject({
      isComplete: true,
      body: 'x'.repeat(20_000),
    });
  });
});

// Risk: a response is recorded wrongly or lost.
import type { Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '@finhook/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp, startTcp, startTls } from '../../test/loopback-server.ts';
import { ProtocolError } from '../http1/protocol-error.ts';
import { deservesImmediateRetry } from '../policy/classify.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';

async function responseTo(text: string, how: 'open' | 'end' | 'reset' = 'open', timeoutMs = 5_000) {
  await using server = await startTcp((socket) => {
    socket.write(text, () => {
      if (how === 'end') socket.end();
      if (how === 'reset') setImmediate(() => socket.resetAndDestroy());
    });
  });
  return await createTestTransport({ timeoutMs }).send(requestTo(server.origin));
}

describe('interim responses', () => {
  test.each([
    ['100 that nobody asked for', `HTTP/1.1 100 Continue\r\n\r\n${ok}`],
    ['100 with headers, twice', `${'HTTP/1.1 100 Continue\r\nserver: IIS\r\n\r\n'.repeat(2)}${ok}`],
    ['hundred of 103', `${hint.repeat(100)}${ok}`],
  ])('%s are skipped', async (_what, text) => {
    expect(await responseTo(text)).toMatchObject({ kind: 'response', statusCode: 200, bodySnippet: 'ok' });
  });

  test('a flood of them ends the attempt and the connection after 64 KiB', async () => {
    let written = 0;
    await using server = await startTcp((socket) => {
      const pump = (): void => {
        while (!socket.destroyed) {
          written += hint.length;
          if (!socket.write(hint)) return void socket.once('drain', pump);
        }
      };
      pump();
    });
    const result = await createTestTransport().send(requestTo(server.origin));
    expect(result).toMatchObject({
      kind: 'error',
      errorClass: 'protocol',
      errorCode: 'too_many_interim_responses',
      message: expect.stringContaining('64 KiB'),
    });
    await server.allClosed();
    // The capacity of two socket buffers.
    expect(written).toBeLessThan(20e6);
  });
});

describe('the status decides', () => {
  test.each([
    ['fewer bytes than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'end'],
    ['a reset', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'reset'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'end'],
    ['a chunk that is none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nZZ\r\n', 'open'],
  ] as const)('a 200 whose body is cut off by %s is a success that is truncated', async (_what, text, how) => {
    expect(await responseTo(text, how)).toMatchObject({
      kind: 'response',
      statusCode: 200,
      bodySnippet: 'half',
      responseTruncated: true,
    });
  });

  test.each([
    ['complete', ok, 'open'],
    ['ended by the connection', 'HTTP/1.0 200 OK\r\n\r\nok', 'end'],
    ['longer than what is read', `HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n${'z'.repeat(70_000)}`, 'open'],
  ] as const)('a body that is %s is not truncated', async (_what, text, how) => {
    expect(await responseTo(text, how)).toMatchObject({ kind: 'response', responseTruncated: false });
  });

  test.each([
    ['with chunks', '200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 200],
    ['without a length', '200 OK\r\n\r\nhalf', 200],
    ['of an error', '503 Busy\r\ncontent-length: 9\r\n\r\nhalf', 503],
  ])('a body %s that does not end in time is a timeout, with what arrived', async (_what, text, statusCode) => {
    expect(await responseTo(`HTTP/1.1 ${text}`, 'open', 300)).toMatchObject({
      kind: 'error',
      errorClass: 'timeout',
      errorCode: 'body_timeout',
      message: `${statusCode} arrived; its body did not end within 0.3 s.`,
      response: { statusCode, bodySnippet: 'half' },
      timings: { firstByteMs: expect.any(Number) },
    });
  });
});

describe('a response that breaks the protocol is a failure that says how, with the status and the headers up to there:', () => {
  const id = 'x-request-id: 7\r\n';
  test.each([
    ['space_before_colon', `200 OK\r\n${id}content-length : 2\r\n\r\nok`, 200, { 'x-request-id': '7' }],
    [
      'content_length_conflict',
      `503 Busy\r\n${id}content-length: 1\r\ncontent-length: 2\r\n\r\nok`,
      503,
      { 'x-request-id': '7', 'content-length': '1, 2' },
    ],
    ['headers_too_large', `500 Oops\r\n${id}x-fill: ${'a'.repeat(300_000)}\r\n\r\n`, 500, { 'x-request-id': '7' }],
    ['switching_protocols', `101 Switching\r\n${id}\r\n`, 101, { 'x-request-id': '7' }],
  ] as const)('%s', async (errorCode, text, statusCode, headers) => {
    const result = await responseTo(`HTTP/1.1 ${text}`);
    expect(result).toMatchObject({ errorClass: 'protocol', errorCode, message: new ProtocolError(errorCode).message });
    expect(result).toMatchObject({
      response: { statusCode, headers, bodySnippet: '' },
      evidence: { responseHeaders: headers },
    });
  });

  test('without a final response it has no status', async () => {
    for (const text of ['SSH-2.0\r\n', hint.repeat(101)]) {
      expect(await responseTo(text)).toMatchObject({ errorClass: 'protocol', response: undefined });
    }
  });
});

describe('a connection that is closed in the head of a response is a failure that says so, and is not repeated at once:', () => {
  const cases = [
    ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n', 'A response began;', undefined],
    ['within the status line', 'HTTP/1.1 20', 'A response began;', undefined],
    [
      'within the headers',
      'HTTP/1.1 500 X\r\nx-a: b\r\nx-',
      '500 arrived;',
      { statusCode: 500, headers: { 'x-a': 'b' } },
    ],
  ] as const;
  const ends = ['end', 'reset'] as const;
  test.each(cases.flatMap((each) => ends.map((how) => [...each, how] as const)))(
    '%s',
    async (_where, text, message, response, how) => {
      const result = await responseTo(text, how);
      expect(result).toMatchObject({ errorClass: 'reset', message: expect.stringContaining(message) });
      expect(result).toHaveProperty('response', response && expect.objectContaining(response));
      expect(deservesImmediateRetry(result)).toBe(false);
    },
  );

  test('one that is closed before its first byte is repeated', async () => {
    for (const how of ends) expect(deservesImmediateRetry(await responseTo('', how))).toBe(true);
  });
});

test('a deadline within the head is a timeout with the status and the headers that arrived', async () => {
  expect(await responseTo('HTTP/1.1 200 OK\r\nx-a: b\r\n', 'open', 300)).toMatchObject({
    errorClass: 'timeout',
    errorCode: 'head_timeout',
    message: '200 arrived; its headers did not end within 0.3 s.',
    response: { statusCode: 200, headers: { 'x-a': 'b' } },
  });
  expect(await responseTo('HTTP/1.1 100 Continue\r\n\r\n', 'open', 300)).toMatchObject({
    errorCode: 'response_timeout',
    message: 'The request was sent and a response began; no final status arrived within 0.3 s.',
    response: undefined,
  });
});

describe('a request body that the receiver does not read to its end', () => {
  // More than two socket buffers hold.
  const body = 'x'.repeat(16 * 1024 * 1024);
  const send = async (onRequest: (socket: Socket) => void) => {
    await using server = await startTcp(onRequest);
    return await createTestTransport({ timeoutMs: 300 }).send(requestTo(server.origin, body));
  };

  test('is a timeout that says how far it got', async () => {
    const result = await send((socket) => void socket.pause());
    expect(result).toMatchObject({
      errorClass: 'timeout',
      errorCode: 'request_timeout',
      message: expect.stringMatching(
        /^Only \d+ of 16384 KiB of the request body could be sent within 0\.3 s: the receiver did not read the rest\.$/,
      ),
    });
    if (result.kind === 'response') return;
    expect(result.sentBytes).toBeLessThan(body.length);
    expect(result.message).toContain(` ${Math.floor((result.sentBytes ?? 0) / 1024)} of`);
  });

  test('and whose connection is reset is a failure that says how far it got', async () => {
    expect(await send((socket) => void socket.resetAndDestroy())).toMatchObject({
      errorClass: 'reset',
      message: expect.stringMatching(
        /^The connection was closed when \d+ of 16384 KiB of the request body were sent\. \(\w+\)$/,
      ),
    });
  });
});

describe('a connection is closed after a response', () => {
  test.each([
    ['that closes it', () => ok.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')],
    ['of HTTP/1.0', () => ok.replace('1.1', '1.0')],
    ['that has bytes behind it', () => `${ok}\r\n`],
    ['whose Keep-Alive ends soon', () => ok.replace('\r\n\r\n', '\r\nkeep-alive: timeout=1\r\n\r\n')],
  ])('%s', async (_what, text) => {
    await using server = await startTcp((socket) => void socket.write(text()));
    const transport = createTestTransport();
    for (let count = 0; count < 2; count += 1) asResponse(await transport.send(requestTo(server.origin)));
    expect(server.connections()).toBe(2);
  });

  test('that rejects a long body which the receiver does not read', async () => {
    await using server = await startTcp((socket) => {
      if (!socket.isPaused()) socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
      socket.pause();
    });
    const transport = createTestTransport({ timeoutMs: 5_000 });
    for (let count = 0; count < 2; count += 1) {
      const result = await transport.send(requestTo(server.origin, 'x'.repeat(1_100_000)));
      expect(result).toMatchObject({ kind: 'response', statusCode: 413, timings: { reused: false } });
    }
    expect(server.connections()).toBe(2);
  });

  test('when it has its maximum age, so that a name that moved is followed though requests never pause', async () => {
    await using before = await startHttp((_request, response) => void response.end('before'));
    let address = '127.0.0.1';
    const asked: string[] = [];
    const lookup = async () => {
      asked.push(address);
      return [address];
    };
    const transport = createTestTransport({ lookup, connectionMaxAgeMs: 100 });
    const request = requestTo(`http://moves.example.com:${before.port}/`);
    asResponse(await transport.send(request));
    address = '127.0.0.2';
    const isMoved = async () => (await transport.send(request)).remoteAddress !== '127.0.0.1';
    await expect.poll(isMoved, { interval: 5 }).toBe(true);
    expect(asked).toContain('127.0.0.2');
  });
});

describe('TLS', () => {
  const certificate = makeCertificate();
  const trust = (): void => {
    const before = getCACertificates();
    setDefaultCACertificates([certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  };
  const send = (port: number, timeoutMs = 5_000) =>
    createTestTransport({ lookup: async () => ['127.0.0.1'], timeoutMs }).send(requestTo(`https://localhost:${port}/`));

  test.each([
    [
      'a client certificate, TLS 1.3',
      { minVersion: 'TLSv1.3', requestCert: true },
      /TLSV13_ALERT_CERTIFICATE_REQUIRED/,
    ],
    ['a client certificate, TLS 1.2', { maxVersion: 'TLSv1.2', requestCert: true }, /^ERR_SSL_.*HANDSHAKE_FAILURE/],
    ['HTTP/2', { ALPNProtocols: ['h2'] }, /^ERR_SSL_.*NO_APPLICATION_PROTOCOL/],
    [
      'TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      /^ERR_SSL_.*(PROTOCOL_VERSION|INTERNAL_ERROR|UNSUPPORTED)/,
    ],
  ] as const)(
    'a receiver that demands %s is a TLS failure with the code of its alert',
    async (_what, options, code) => {
      trust();
      await using server = await startTls({ ...certificate, ...options, rejectUnauthorized: true });
      const result = await send(server.port);
      expect(result).toMatchObject({ kind: 'error', errorClass: 'tls', errorCode: expect.stringMatching(code) });
    },
  );

  test('a plain HTTP server is a TLS failure with its code', async () => {
    await using server = await startHttp((_request, response) => void response.end());
    expect(await send(server.port)).toMatchObject({
      errorClass: 'tls',
      errorCode: expect.stringMatching(/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/),
    });
  });

  test('a hanging handshake and a slow response are different errors', async () => {
    await using silent = await startTcp(() => undefined);
    expect(await send(silent.port, 200)).toMatchObject({
      errorClass: 'timeout',
      errorCode: 'tls_handshake_timeout',
      timings: { connectMs: expect.any(Number), tlsMs: null, reused: null },
    });
    const transport = createTestTransport({ connectTimeoutMs: 100, timeoutMs: 5_000 });
    expect(await transport.send(requestTo(`https://127.0.0.1:${silent.port}/`))).toMatchObject({
      errorClass: 'connect_timeout',
      errorCode: 'tls_handshake_timeout',
    });
    const slow = await createTestTransport({ timeoutMs: 200 }).send(requestTo(silent.origin));
    expect(slow).toMatchObject({ errorClass: 'timeout', errorCode: 'response_timeout' });
  });

  test('later connections to a host resume its session', async () => {
    trust();
    const resumed: boolean[] = [];
    const server = createTlsServer(certificate, (socket) => {
      resumed.push(socket.isSessionReused());
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end(ok.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const transport = createTestTransport({ lookup: async () => ['127.0.0.1'] });
    for (let count = 0; count < 2; count += 1) {
      asResponse(await transport.send(requestTo(`https://localhost:${port}/`)));
    }
    expect(resumed).toEqual([false, true]);
  });
});

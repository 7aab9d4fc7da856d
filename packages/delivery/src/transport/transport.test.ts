// Risk: a receiver's behaviour hangs the worker, exhausts it, throws, or is taken for something that it is not.
import { randomBytes } from 'node:crypto';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp, startTcp } from '../../test/loopback-server.ts';
import { NotBegunError, Waits } from './waits.ts';

const raw = (text: string) => startTcp((socket) => void socket.end(text));

test('the body arrives byte for byte and the response comes back with status, headers and text', async () => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'retry-after': '7' }).end('thanks');
  });
  const result = await createTestTransport().send(requestTo(`${server.origin}/hook?a=1`, '{"sum":"12,50 €"}'));
  expect(result).toMatchObject({
    kind: 'response',
    statusCode: 200,
    headers: { 'content-type': 'text/plain', 'retry-after': '7' },
    bodySnippet: 'thanks',
    remoteAddress: '127.0.0.1',
  });
  expect(server.received).toMatchObject([
    { method: 'POST', path: '/hook?a=1', body: Buffer.from('{"sum":"12,50 €"}') },
  ]);
  expect(server.received[0]?.headers['content-length']).toBe('19');
});

test('a body of several megabytes, in pieces, arrives byte for byte, and its connection is used again', async () => {
  await using server = await startHttp((_request, response) => void response.end());
  const transport = createTestTransport();
  const body = randomBytes(5_000_001);
  for (let count = 0; count < 2; count += 1) {
    asResponse(await transport.send({ ...requestTo(server.origin), body }));
    await turn();
  }
  expect(server.received.map((request) => request.body.equals(body))).toEqual([true, true]);
  expect(server.connections()).toBe(1);
});

test('connections are kept: ten sends in a row use one', async () => {
  await using server = await startHttp((_request, response) => void response.end());
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  for (let count = 0; count < 10; count += 1) asResponse(await transport.send(requestTo(server.origin)));
  expect(server.received).toHaveLength(10);
  expect(server.connections()).toBe(1);
});

test('204 has no body, and an informational response before the final one is skipped', async () => {
  await using server = await startHttp((request, response) => {
    if (request.url === '/hints') response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.writeHead(204).end();
  });
  const transport = createTestTransport();
  for (const path of ['/', '/hints']) {
    const result = asResponse(await transport.send(requestTo(server.origin + path)));
    expect(result).toMatchObject({ statusCode: 204, bodySnippet: '' });
    expect(result.headers).not.toHaveProperty('link');
  }
});

test.each([400, 404, 410, 429, 500, 503])('%d is a value, not an error', async (status) => {
  await using server = await startHttp((_request, response) => void response.writeHead(status).end('no'));
  const result = await createTestTransport().send(requestTo(server.origin));
  expect(result).toMatchObject({ kind: 'response', statusCode: status, bodySnippet: 'no' });
});

test('a compressed response is not unpacked', async () => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1e6)));
  });
  expect(asResponse(await createTestTransport().send(requestTo(server.origin)))).toMatchObject({
    statusCode: 200,
    bodySnippet: '[compressed response body]',
  });
});

test('of two own header values, one the beginning of the other, an echo leaves no rest', async () => {
  await using server = await startHttp((request, response) => void response.end(request.headers['x-longer']));
  const request = requestTo(server.origin);
  const headers = { ...request.headers, 'x-shorter': 'canary-token', 'x-longer': 'canary-token-7f3a' };
  const { bodySnippet } = asResponse(await createTestTransport().send({ ...request, headers }));
  expect(bodySnippet).toBe('[redacted]');
});

test('of a long response 4 KiB are kept, and the connection stays usable', async () => {
  await using server = await startHttp((_request, response) => void response.end('y'.repeat(60_000)));
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  for (let count = 0; count < 2; count += 1) {
    expect(asResponse(await transport.send(requestTo(server.origin))).bodySnippet).toBe('y'.repeat(4096));
  }
  expect(server.connections()).toBe(1);
});

test('an endless response is cut at 64 KiB by destroying the connection, and its status counts', async () => {
  await using server = await startHttp((_request, response) => {
    const pump = (): void => {
      while (!response.destroyed && response.write('z'.repeat(16_384)));
    };
    response.writeHead(200).on('drain', pump);
    pump();
  });
  const result = asResponse(await createTestTransport().send(requestTo(server.origin)));
  expect(result).toMatchObject({ statusCode: 200, bodySnippet: 'z'.repeat(4096) });
  await server.allClosed();
});

test('a response that drips is cut at the deadline although bytes keep coming', async () => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(timer));
  });
  const result = await createTestTransport().send(requestTo(server.origin), { timeoutMs: 150 });
  expect(result).toMatchObject({ kind: 'error', errorClass: 'timeout', sentBytes: 14 });
  await server.allClosed();
});

test('headers that drip are cut at the deadline', async () => {
  await using server = await startTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-drip: 1\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  const result = await createTestTransport({ timeoutMs: 100 }).send(requestTo(server.origin));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'timeout' });
  await server.allClosed();
});

test('a receiver that never responds is cut, and the next send is not harmed', async () => {
  let calls = 0;
  await using server = await startHttp((_request, response) => {
    calls += 1;
    if (calls > 1) response.end('second');
  });
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  const first = await transport.send(requestTo(server.origin), { timeoutMs: 100 });
  expect(first).toMatchObject({ kind: 'error', errorClass: 'timeout' });
  expect(asResponse(await transport.send(requestTo(server.origin))).bodySnippet).toBe('second');
});

test('a request that waits for a connection longer than it may is never sent, and is no failure of the receiver', async () => {
  const held: (() => void)[] = [];
  await using server = await startHttp((_request, response) => void held.push(() => response.end()));
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  const first = transport.send(requestTo(server.origin, 'first'));
  const second = transport.send(requestTo(server.origin, 'second'), { maxWaitMs: 50 });
  await expect(second).rejects.toBeInstanceOf(NotBegunError);
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  asResponse(await first);
  const third = transport.send(requestTo(server.origin, 'third'));
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  asResponse(await third);
  expect(server.received.map(({ body }) => body.toString())).toEqual(['first', 'third']);
});

test('a request whose wait for a connection is ended from outside is never sent, and leaves the connection to others', async () => {
  const held: (() => void)[] = [];
  await using server = await startHttp((_request, response) => void held.push(() => response.end()));
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  const waits = new Waits();
  const first = transport.send(requestTo(server.origin, 'first'), { waits });
  const second = transport.send(requestTo(server.origin, 'second'), { waits });
  const refusing = {
    url: server.origin,
    prepare: () => {
      throw new NotBegunError('no');
    },
  };
  const third = transport.send(refusing);
  await expect.poll(() => held.length).toBe(1);
  waits.end();
  await expect(second).rejects.toBeInstanceOf(NotBegunError);
  held[0]?.();
  asResponse(await first);
  await expect(third).rejects.toBeInstanceOf(NotBegunError);
  const fourth = transport.send(requestTo(server.origin, 'fourth'));
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  asResponse(await fourth);
  expect(server.received.map(({ body }) => body.toString())).toEqual(['first', 'fourth']);
});

test('the time limit of a request begins after its wait for a connection, and so does its preparation', async () => {
  const held: (() => void)[] = [];
  await using server = await startHttp((_request, response) => {
    if (held.length > 0) response.end();
    else held.push(() => response.end());
  });
  const transport = createTestTransport({ connectionsPerOrigin: 1 });
  const first = transport.send(requestTo(server.origin, 'first'));
  let isPrepared = false;
  const prepare = () => {
    isPrepared = true;
    return requestTo(server.origin, 'second');
  };
  const second = transport.send({ url: server.origin, prepare }, { timeoutMs: 250 });
  await expect.poll(() => held.length).toBe(1);
  // Longer than it would be given.
  await setTimeout(300);
  expect(isPrepared).toBe(false);
  held[0]?.();
  asResponse(await second);
  asResponse(await first);
});

test('requests that hang at one receiver do not delay those to another', async () => {
  const held: (() => void)[] = [];
  await using hanging = await startHttp((_request, response) => void held.push(() => response.end()));
  await using healthy = await startHttp((_request, response) => void response.end());
  const transport = createTestTransport();
  let ended = 0;
  const stuck = Array.from({ length: 40 }, () => transport.send(requestTo(hanging.origin)).then(() => (ended += 1)));
  for (let count = 0; count < 40; count += 1) asResponse(await transport.send(requestTo(healthy.origin)));
  await expect.poll(() => held.length).toBe(40);
  expect(ended).toBe(0);
  for (const respond of held) respond();
  await Promise.all(stuck);
});

test('a connection that is reset before the response is a failure, after the status it is the response', async () => {
  await using server = await startHttp((request, response) => {
    if (request.url === '/late') response.writeHead(202, { 'content-length': '10' }).write('1234');
    setImmediate(() => request.socket.resetAndDestroy());
  });
  const transport = createTestTransport();
  const early = await transport.send(requestTo(`${server.origin}/early`));
  expect(early).toMatchObject({ kind: 'error', errorClass: 'reset', sentBytes: 14 });
  expect(await transport.send(requestTo(`${server.origin}/late`))).toMatchObject({ kind: 'response', statusCode: 202 });
});

test('an informational response alone is no response', async () => {
  await using server = await raw('HTTP/1.1 103 Early Hints\r\n\r\n');
  const result = await createTestTransport().send(requestTo(server.origin));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'reset' });
});

test.each([
  ['what is not HTTP', 'hello there\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ['headers without end', `HTTP/1.1 200 OK\r\n${'x-fill: 12345678901234567890\r\n'.repeat(9000)}`],
])('%s is a protocol failure', async (_name, text) => {
  await using server = await raw(text);
  const result = await createTestTransport().send(requestTo(server.origin));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'protocol' });
});

test('a refused connection, a name that does not resolve and a TLS mismatch have different error classes', async () => {
  const server = await startHttp((_request, response) => void response.end());
  const lookup = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  const dns = await createTestTransport({ lookup }).send(requestTo('http://nowhere.example.com/'));
  expect(dns).toMatchObject({ kind: 'error', errorClass: 'dns', sentBytes: 0 });
  const tls = await createTestTransport().send(requestTo(`https://127.0.0.1:${server.port}/`));
  expect(tls).toMatchObject({ kind: 'error', errorClass: 'tls' });
  await server[Symbol.asyncDispose]();
  const rejected = await createTestTransport().send(requestTo(server.origin));
  expect(rejected).toMatchObject({
    kind: 'error',
    errorClass: 'connect_refused',
    message: 'The host could not be reached or refused the connection. (ECONNREFUSED)',
  });
});

test('a connection that is not established in time is cut before the deadline', async () => {
  await using silent = await startTcp(() => undefined);
  const transport = createTestTransport({ connectTimeoutMs: 50, timeoutMs: 10_000 });
  const result = await transport.send(requestTo(`https://127.0.0.1:${silent.port}/`));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'connect_timeout', sentBytes: 0 });
});

test('the deadline covers a name lookup that never ends', async () => {
  const lookup = () => new Promise<never>(() => undefined);
  const transport = createTestTransport({ lookup, connectTimeoutMs: 300 });
  const result = await transport.send(requestTo('http://slow.example.com/'), { timeoutMs: 50 });
  expect(result).toMatchObject({ kind: 'error', errorClass: 'timeout', sentBytes: 0 });
});

test('close waits for what is in flight, and a send after it rejects as a fault of this process', async () => {
  const held: (() => void)[] = [];
  await using server = await startHttp((_request, response) => void held.push(() => response.end('done')));
  const transport = createTestTransport();
  const result = transport.send(requestTo(server.origin));
  await expect.poll(() => held.length).toBe(1);
  const closed = transport.close();
  held[0]?.();
  expect(asResponse(await result).bodySnippet).toBe('done');
  await closed;
  await expect(transport.send(requestTo(server.origin))).rejects.toThrow('closed');
});

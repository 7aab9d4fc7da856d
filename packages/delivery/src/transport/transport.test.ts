// Risk: a receiver's behaviour hangs or exhausts the worker, throws, or is misclassified.
import { randomBytes } from 'node:crypto';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp } from '../../test/loopback-server.ts';
import { NotBegunError, Waits } from './waits.ts';

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
  // Longer than the timeout.
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

// Risk: a provider's URL reaches into the private network, or its response hangs, floods or redirects this process.
import { gzipSync } from 'node:zlib';
import { hostileUrls } from '@finhook/testing';
import { expect, test } from 'vitest';
import { startHttp, startTcp } from '../../test/loopback-server.ts';
import { createJsonFetcher, type JsonFetcherOptions } from './fetch-json.ts';

const never = new AbortController().signal;
const token = 'token-of-the-provider';

const fetchWith = (url: string, options: Partial<JsonFetcherOptions> = {}, signal = never) =>
  createJsonFetcher({ policy: { allowInsecure: true }, now: () => new Date(), timeoutMs: 5_000, ...options })({
    url,
    token,
    signal,
  });

test('a document is fetched with the token, once, and the connection is closed', async () => {
  await using server = await startHttp((_, response) => response.end('{"balances":[]}'));
  expect(await fetchWith(`${server.origin}/pages?since=2026-01-01`)).toEqual({ ok: true, text: '{"balances":[]}' });
  expect(server.received.map(({ method, path }) => [method, path])).toEqual([['GET', '/pages?since=2026-01-01']]);
  expect(server.received[0]?.headers).toMatchObject({ authorization: `Bearer ${token}`, accept: 'application/json' });
  expect(server.received[0]?.headers.cookie).toBeUndefined();
  await server.allClosed();
});

test.each(hostileUrls)('%s is never asked', async (url) => {
  const result = await fetchWith(url, { policy: { allowInsecure: false } });
  expect(result).toMatchObject({ ok: false, error: 'blocked_address' });
  expect(JSON.stringify(result)).not.toContain(token);
});

test('a name that resolves to a private address gets no connection', async () => {
  await using server = await startHttp((_, response) => response.end('{}'));
  const result = await fetchWith(`https://pages.example.com:${server.port}/`, {
    policy: { allowInsecure: false },
    lookup: async () => ['127.0.0.1'],
  });
  expect(result).toMatchObject({ ok: false, error: 'blocked_address' });
  expect(server.connections()).toBe(0);
});

test('a redirect is a response like any other wrong status, and is not followed', async () => {
  await using elsewhere = await startHttp((_, response) => response.end('{}'));
  await using server = await startHttp((_, response) => response.writeHead(302, { location: elsewhere.origin }).end());
  expect(await fetchWith(server.origin)).toMatchObject({ ok: false, error: 'status', statusCode: 302 });
  expect(elsewhere.connections()).toBe(0);
});

test.each([204, 401, 404, 500])('status %i is no document', async (status) => {
  await using server = await startHttp((_, response) => response.writeHead(status).end());
  expect(await fetchWith(server.origin)).toMatchObject({ ok: false, error: 'status', statusCode: status });
});

test.each([
  [429, '7', 7_000],
  [503, 'Fri, 01 May 2026 12:01:00 GMT', 60_000],
  [429, 'soon', undefined],
  [429, undefined, undefined],
  [404, '7', undefined],
])('status %i with Retry-After %s asks to wait %s ms', async (status, retryAfter, retryAfterMs) => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  await using server = await startHttp((_, response) => response.writeHead(status, headers).end());
  const now = () => new Date('2026-05-01T12:00:00Z');
  expect(await fetchWith(server.origin, { now })).toMatchObject({ statusCode: status, retryAfterMs });
});

test('an endless response is cut at the cap', async () => {
  await using server = await startHttp((_, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024, 32)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(await fetchWith(server.origin, { maxBytes: 1024 * 1024 })).toEqual({
    ok: false,
    error: 'too_large',
    message: 'The response is longer than 1 MiB: send smaller pages.',
  });
  await server.allClosed();
});

test('a response of just the cap is read', async () => {
  const body = `"${'a'.repeat(98)}"`;
  await using server = await startHttp((_, response) => response.end(body));
  expect(await fetchWith(server.origin, { maxBytes: 100 })).toMatchObject({ ok: true });
  expect(await fetchWith(server.origin, { maxBytes: 99 })).toMatchObject({ ok: false, error: 'too_large' });
});

test('a provider that never responds, or drips, is given up at the deadline', async () => {
  await using silent = await startTcp(() => undefined);
  await using dripping = await startHttp((_, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  for (const server of [silent, dripping]) {
    expect(await fetchWith(server.origin, { timeoutMs: 200 })).toMatchObject({ ok: false, error: 'timeout' });
    await server.allClosed();
  }
});

test('an aborted request rejects with the reason and closes its connection', async () => {
  await using silent = await startTcp(() => aborting.abort(new Error('closing')));
  const aborting = new AbortController();
  await expect(fetchWith(silent.origin, {}, aborting.signal)).rejects.toThrow('closing');
  await silent.allClosed();
});

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['compressed bytes, which nobody asked for', gzipSync('{}')],
])('%s are no text', async (_, body) => {
  await using server = await startHttp((_request, response) => response.end(body));
  expect(await fetchWith(server.origin)).toMatchObject({ ok: false, error: 'not_text' });
});

test('a refused connection and a broken response are values', async () => {
  const server = await startHttp((_, response) => response.end());
  const { origin } = server;
  await server[Symbol.asyncDispose]();
  expect(await fetchWith(origin)).toMatchObject({ ok: false, error: 'connect_refused' });
  await using breaking = await startTcp((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"balances":');
  });
  expect(await fetchWith(breaking.origin)).toMatchObject({ ok: false, error: 'reset' });
  await using nonsense = await startTcp((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'));
  expect(await fetchWith(nonsense.origin)).toMatchObject({ ok: false, error: 'protocol' });
});

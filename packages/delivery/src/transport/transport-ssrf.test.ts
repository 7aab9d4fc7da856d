// Risk: a receiver or its DNS redirects the service to another host, or makes it send credentials there.
import { hostileUrls } from '@finhook/testing';
import { expect, test, vi } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp, startTls } from '../../test/loopback-server.ts';

const strict = { allowInsecure: false };

test.each(hostileUrls)('%j is not called even if it was stored', async (url) => {
  const lookup = async (host: string) => Promise.reject(new Error(`asked for ${host}`));
  const result = await createTestTransport({ policy: strict, lookup }).send(requestTo(url));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'blocked_address', sentBytes: 0 });
});

test('a pinned connection keeps the name in Host and SNI', async () => {
  await using server = await startHttp((_request, response) => void response.end());
  const names: string[] = [];
  const tls = await startTls({
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  await using _tls = tls;
  const transport = createTestTransport({ lookup: async () => ['127.0.0.1'] });
  asResponse(await transport.send(requestTo(`http://pinned.example.com:${server.port}/`)));
  expect(server.received[0]?.headers.host).toBe(`pinned.example.com:${server.port}`);
  const result = await transport.send(requestTo(`https://pinned.example.com:${tls.port}/`));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'tls' });
  expect(names).toEqual(['pinned.example.com']);
});

test.each([301, 302, 303, 307, 308])('%d is a failure and is never followed', async (status) => {
  await using elsewhere = await startHttp((_request, response) => void response.end());
  await using server = await startHttp((_request, response) => {
    response.writeHead(status, { location: `${elsewhere.origin}/` }).end();
  });
  const result = await createTestTransport().send(requestTo(server.origin));
  expect(result).toMatchObject({ kind: 'response', statusCode: status });
  expect(elsewhere.connections()).toBe(0);
  expect(server.received).toHaveLength(1);
});

test('a cookie that was set is not sent back, and no credential is ever sent', async () => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(200, { 'set-cookie': 'sid=1; Path=/' }).end();
  });
  const transport = createTestTransport();
  const first = asResponse(await transport.send(requestTo(server.origin)));
  asResponse(await transport.send(requestTo(server.origin)));
  expect(first.headers).not.toHaveProperty('set-cookie');
  expect(server.received).toHaveLength(2);
  for (const { headers } of server.received) {
    expect(Object.keys(headers).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'webhook-id',
    ]);
  }
});

test('proxy variables of the environment are ignored', async () => {
  await using proxy = await startHttp((_request, response) => void response.end());
  await using server = await startHttp((_request, response) => void response.end());
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) vi.stubEnv(name, proxy.origin);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  try {
    asResponse(await createTestTransport().send(requestTo(server.origin)));
  } finally {
    vi.unstubAllEnvs();
  }
  expect(proxy.connections()).toBe(0);
  expect(server.received).toHaveLength(1);
});

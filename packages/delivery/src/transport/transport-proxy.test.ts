// Risk: with an outgoing proxy, a name is resolved unchecked, a password leaks, or the proxy's outage disables
// endpoints.
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type ConnectProxy, makeCertificate, startConnectProxy } from '@finhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp, startTcp, startTls } from '../../test/loopback-server.ts';
import { createJsonFetcher } from './fetch-json.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { parseProxyUrl } from './proxy-tunnel.ts';

const lookup = async () => ['127.0.0.1'];

function through(proxy: Pick<ConnectProxy, 'port'>, credentials = ''): ProxyServer {
  return parseProxyUrl(`http://${credentials}127.0.0.1:${proxy.port}`);
}

test('requests go through one kept tunnel to the address that was checked, and Host keeps the name', async () => {
  await using proxy = await startConnectProxy();
  await using server = await startHttp((_request, response) => void response.end('thanks'));
  const transport = createTestTransport({ proxy: through(proxy), lookup, connectionsPerOrigin: 1 });
  for (let count = 0; count < 3; count += 1) {
    const result = asResponse(await transport.send(requestTo(`http://hooks.example.com:${server.port}/a`)));
    expect(result).toMatchObject({ statusCode: 200, bodySnippet: 'thanks', remoteAddress: '127.0.0.1' });
  }
  expect(proxy.tunnels.map(({ target }) => target)).toEqual([`127.0.0.1:${server.port}`]);
  expect(proxy.tunnels[0]?.headers).toEqual({ host: `127.0.0.1:${server.port}` });
  expect(server.received.map(({ headers }) => headers.host)).toEqual(
    Array.from({ length: 3 }, () => `hooks.example.com:${server.port}`),
  );
});

test('credentials are sent to the proxy and to nobody else', async () => {
  await using proxy = await startConnectProxy({
    statusFor: (_target, headers) => (headers['proxy-authorization'] === `Basic ${btoa('me:s3cret')}` ? 200 : 407),
  });
  await using server = await startHttp((_request, response) => void response.end());
  const request = requestTo(`http://hooks.example.com:${server.port}/`);
  asResponse(await createTestTransport({ proxy: through(proxy, 'me:s3cret@'), lookup }).send(request));
  expect(JSON.stringify(server.received[0]?.headers)).not.toContain('roxy');
  const wrong = createTestTransport({ proxy: through(proxy, 'me:wr0ng@'), lookup }).send(request);
  const error = await wrong.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'PROXY_AUTH' });
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/wr0ng|bWU6/);
});

test('TLS is spoken through the tunnel with the real name, which the proxy never hears', async () => {
  await using proxy = await startConnectProxy();
  const names: string[] = [];
  await using server = await startTls({
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  const transport = createTestTransport({ proxy: through(proxy), lookup });
  const result = await transport.send(requestTo(`https://hooks.example.com:${server.port}/`));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'tls', sentBytes: 0 });
  expect(names).toEqual(['hooks.example.com']);
  expect(proxy.tunnels.map(({ target }) => target)).toEqual([`127.0.0.1:${server.port}`]);
});

test('a certificate is judged by the real name: the right one gets a response through the tunnel, a wrong one is rejected', async () => {
  await using proxy = await startConnectProxy();
  const certificate = makeCertificate();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const server = createServer(certificate, (request, response) => void response.end(request.headers.host));
  const port = await new Promise<number>((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('no port'));
    });
  });
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  const transport = createTestTransport({ proxy: through(proxy), lookup, connectionsPerOrigin: 1 });
  for (let count = 0; count < 2; count += 1) {
    const result = asResponse(await transport.send(requestTo(`https://localhost:${port}/`)));
    expect(result).toMatchObject({ statusCode: 200, bodySnippet: `localhost:${port}`, remoteAddress: '127.0.0.1' });
  }
  const wrong = await transport.send(requestTo(`https://other.example.com:${port}/`));
  expect(wrong).toMatchObject({ kind: 'error', errorClass: 'tls', sentBytes: 0 });
  expect(proxy.tunnels.map(({ target }) => target)).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
});

test.each([
  ['a private address', 'https://hooks.example.com/', ['10.0.0.1']],
  ['a public and a private address', 'https://hooks.example.com/', ['8.8.8.8', 'fd00::1']],
  ['itself', 'https://10.0.0.1/', []],
])('a host that is, or resolves to, %s is rejected before the proxy hears of it', async (_name, url, addresses) => {
  await using proxy = await startConnectProxy();
  const strict = { policy: { allowInsecure: false }, proxy: through(proxy), lookup: async () => addresses };
  expect(await createTestTransport(strict).send(requestTo(url))).toMatchObject({ errorClass: 'blocked_address' });
  expect(proxy.tunnels).toEqual([]);
});

test('each new tunnel asks again, so that a name that moved inside gets one request', async () => {
  await using proxy = await startConnectProxy();
  await using server = await startHttp((_request, response) => {
    response.writeHead(200, { connection: 'close' }).end();
  });
  const responses = [['127.0.0.1'], ['127.0.0.2']];
  const transport = createTestTransport({
    proxy: through(proxy),
    lookup: async () => responses.shift() ?? [],
    isAllowedAddress: (address) => address === '127.0.0.1',
  });
  const request = requestTo(`http://rebind.example.com:${server.port}/`);
  asResponse(await transport.send(request));
  expect(await transport.send(request)).toMatchObject({ kind: 'error', errorClass: 'blocked_address' });
  expect(proxy.tunnels).toHaveLength(1);
});

test('when the proxy rejects one address, the next one of the name is tried', async () => {
  await using proxy = await startConnectProxy({ statusFor: (target) => (target.startsWith('127.0.0.2:') ? 502 : 200) });
  await using server = await startHttp((_request, response) => void response.end());
  const transport = createTestTransport({ proxy: through(proxy), lookup: async () => ['127.0.0.2', '127.0.0.1'] });
  const result = asResponse(await transport.send(requestTo(`http://hooks.example.com:${server.port}/`)));
  expect(result.remoteAddress).toBe('127.0.0.1');
  expect(proxy.tunnels).toHaveLength(2);
});

test.each([
  [403, 'connect_refused', 'PROXY_REFUSED'],
  [502, 'connect_refused', 'PROXY_REFUSED'],
  [504, 'connect_timeout', 'PROXY_TIMEOUT'],
])('a proxy that returns %d makes the attempt fail as %s', async (status, errorClass, code) => {
  await using proxy = await startConnectProxy({ statusFor: () => status });
  const transport = createTestTransport({ proxy: through(proxy), lookup });
  const result = await transport.send(requestTo('http://hooks.example.com/'));
  expect(result).toMatchObject({ kind: 'error', errorClass, message: expect.stringContaining(`(${code})`) });
});

test.each([
  ['nothing, and closes', ''],
  ['what is not HTTP', 'hello\r\n\r\n'],
  ['bytes of its own behind a 200', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\n${'x-fill: 1234567890\r\n'.repeat(2000)}`],
])('a proxy that returns %s is not believed', async (_name, text) => {
  await using proxy = await startTcp((socket) => void socket.end(text));
  const transport = createTestTransport({ proxy: through(proxy), lookup });
  expect(await transport.send(requestTo('http://hooks.example.com/'))).toMatchObject({ errorClass: 'connect_refused' });
});

test('a proxy that is away is a fault of this installation, which no endpoint is blamed for', async () => {
  const proxy = await startConnectProxy();
  await proxy[Symbol.asyncDispose]();
  const transport = createTestTransport({ proxy: through(proxy), lookup });
  await expect(transport.send(requestTo('http://hooks.example.com/'))).rejects.toMatchObject({
    code: 'PROXY_UNREACHABLE',
  });
});

test('a proxy that never responds is cut at the connect timeout', async () => {
  await using silent = await startTcp(() => undefined);
  const transport = createTestTransport({ proxy: through(silent), lookup, connectTimeoutMs: 50 });
  const result = await transport.send(requestTo('http://hooks.example.com/'));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'connect_timeout' });
  await silent.allClosed();
});

test('a receiver that never finishes TLS is cut at the connect timeout, and its tunnel closed', async () => {
  await using proxy = await startConnectProxy();
  await using silent = await startTcp(() => undefined);
  const transport = createTestTransport({ proxy: through(proxy), lookup, connectTimeoutMs: 200 });
  const result = await transport.send(requestTo(`https://hooks.example.com:${silent.port}/`));
  expect(result).toMatchObject({ kind: 'error', errorClass: 'connect_timeout', sentBytes: 0 });
  await silent.allClosed();
});

test('providers are pulled through the proxy too', async () => {
  await using proxy = await startConnectProxy();
  await using server = await startHttp((_request, response) => void response.end('{"ok":1}'));
  const fetchJson = createJsonFetcher({
    policy: { allowInsecure: true },
    now: () => new Date(),
    lookup,
    proxy: through(proxy),
  });
  const url = `http://bank.example.com:${server.port}/`;
  const result = await fetchJson({ url, token: 't', signal: new AbortController().signal });
  expect(result).toEqual({ ok: true, text: '{"ok":1}' });
  expect(proxy.tunnels).toHaveLength(1);
});

// Risk: behind the documented proxies, an update drops requests, or a part of the service doesn't work.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import type { AppRouter } from '@finhook/api/router';
import { createClient } from '@finhook/client';
import { openQueue } from '@finhook/testing';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openServiceGroup, type ServiceGroup } from './service-group.ts';
import { installedProxies, type ProxyServer, startProxy, trustProxy } from './start-proxy.ts';

afterAll(() => trustProxy());

const mebibyte = 1024 ** 2;
/** Posts of a rolling restart that a proxy may reject with 503. Caddy 2.6 repeats no body. */
const allowedRepeats = { nginx: 0, caddy: Number.POSITIVE_INFINITY };

/** Below 32768, so that no outgoing connection gets it while its api restarts. */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}

const names = installedProxies(['nginx', 'caddy'] as const);
const opened = new AsyncDisposableStack();
let group: ServiceGroup;
let ports: readonly [number, number];
/** The events of every post so far. */
const events: string[] = [];
beforeAll(async () => {
  if (names.length === 0) return;
  const queue = opened.adopt(await openQueue('postgres', inject('pgUrl')), (each) => each.close());
  group = opened.adopt(await openServiceGroup(inject('pgUrl'), queue.url), (services) => services.close());
  ports = [await lastingPort(), await lastingPort()];
  // In order: the rolling restart stops the oldest api and starts one on its port.
  for (const port of ports) await group.start('api', port);
  // Creates the endpoints at the first api.
  await group.startAll(['worker']);
}, 120_000);
afterAll(() => opened.disposeAsync(), 60_000);

describe.each(names)('behind %s', (name) => {
  let proxy: ProxyServer;
  beforeAll(async () => {
    const upstreams = ports.map((port) => `127.0.0.1:${port}`);
    proxy = opened.adopt(await startProxy(name, upstreams), (server) => server.close());
    trustProxy(proxy);
  });

  const authorization = () => `Bearer ${group.apiKey}`;
  const get = (path: string) => fetch(proxy.url + path, { headers: { authorization: authorization() } });
  const postJson = (path: string, body: string) => {
    const headers = { authorization: authorization(), 'content-type': 'application/json' };
    return fetch(proxy.url + path, { method: 'POST', body, headers });
  };

  /** From its own address, with headers that `fetch` doesn't send. */
  async function sendFrom(
    localAddress: string,
    path: string,
    headers: Record<string, string>,
    { body, to = proxy }: { body?: string; to?: ProxyServer } = {},
  ) {
    const { port, host } = new URL(to.url);
    const method = body === undefined ? 'GET' : 'POST';
    const options = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      method,
      path,
      localAddress,
      agent: false,
      ca: to.ca,
    };
    const outgoing = request({ ...options, headers: { host, authorization: authorization(), ...headers } });
    outgoing.end(body);
    const [response] = await once(outgoing, 'response');
    return { status: Number(response.statusCode), body: await text(response) };
  }

  test('REST and tRPC work over TLS, as HTTP/2 where the client has it, and plain http is redirected', async () => {
    const me = await get('/api/v1/me');
    expect([me.status, me.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000']);
    const rest = createClient({ baseUrl: proxy.url, apiKey: group.apiKey });
    expect((await rest.me.get()).account.name).toBe('Acme');
    const trpc = createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${proxy.url}/trpc`, headers: { authorization: authorization() } })],
    });
    const [account, companies] = await Promise.all([trpc.me.get.query(), trpc.companies.list.query({ q: 'Acme Inc' })]);
    expect([account.account.name, companies.data.map(({ id }) => id)]).toEqual(['Acme', [group.companyId]]);

    const { port } = new URL(proxy.url);
    const socket = tls.connect({ host: 'localhost', port: Number(port), ALPNProtocols: ['h2', 'http/1.1'] });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('h2');
    socket.destroy();

    const plain = await fetch(`${proxy.plainUrl}/api/v1/me`, { redirect: 'manual' });
    expect(plain.status).toBe(308);
    expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost.*\/api\/v1\/me$/);
  });

  test('a browser signs in from its own page, and its open stream has changes', async () => {
    const signedIn = await fetch(`${proxy.url}/dashboard/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: proxy.url },
      body: JSON.stringify({ api_key: group.apiKey }),
    });
    expect(signedIn.status).toBe(201);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toContain('Secure');
    const stream = await fetch(`${proxy.url}/dashboard/stream`, { headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    if (stream.body === null) throw new Error('The stream has no body.');
    let seen = '';
    let posted: Promise<Response> | undefined;
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      if (seen.includes('event: ready')) posted ??= postJson('/api/v1/companies', '{"name":"Streamed"}');
      if (seen.includes('event: change')) break;
    }
    expect((await posted)?.status).toBe(201);
  });

  test("a body of almost 2 MiB reaches the api, and a larger one gets the api's own 413", async () => {
    const company = (bytes: number) => postJson('/api/v1/companies', JSON.stringify({ name: 'x'.repeat(bytes) }));
    const [allowed, tooLarge] = [await company(2 * mebibyte - 100), await company(3 * mebibyte)];
    expect([allowed.status, await allowed.json()]).toMatchObject([422, { code: 'validation_failed' }]);
    expect([tooLarge.status, await tooLarge.json()]).toMatchObject([413, { code: 'body_too_large' }]);
  });

  test('the activity log has the address of the client, whatever the client says about it', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
    const created = await sendFrom('127.0.0.2', '/api/v1/companies', headers, { body: '{"name":"Where from"}' });
    expect(created.status).toBe(201);
    const log = await get('/api/v1/activity?action=companies.create&limit=1');
    expect(await log.json()).toMatchObject({ data: [{ after: { name: 'Where from' }, ip: '127.0.0.2' }] });
  });

  test('the public learns that the service is up, and not what it lacks', async () => {
    expect((await get('/healthz')).status).toBe(200);
    for (const path of ['/readyz', '/api/v1/readyz', '//readyz', '/%72eadyz', '/readyz?x=1', '/docs/../readyz']) {
      const { status, body } = await sendFrom('127.0.0.1', path, {});
      expect([status, JSON.parse(body)], path).toMatchObject([404, { code: 'not_found' }]);
    }
  });

  test('the console is closed to addresses that the file does not list', async () => {
    for (const path of ['/ops', '/ops/queues', '//ops']) {
      expect((await sendFrom('127.0.0.1', path, {})).status, path).not.toBe(200);
    }
    expect((await sendFrom('127.0.0.1', '/ops', {})).status).toBe(403);
  });

  test.runIf(name === 'nginx')(
    'behind a load balancer, the console is closed by the address of its client',
    async () => {
      const upstreams = ports.map((port) => `127.0.0.1:${port}`);
      const behind = await startProxy(name, upstreams, [
        ['# set_real_ip_from 10.0.0.5;', 'set_real_ip_from 127.0.0.1;'],
        ['# real_ip_', 'real_ip_'],
      ]);
      try {
        const ops = async (localAddress: string, client: string) =>
          (await sendFrom(localAddress, '/ops', { 'x-forwarded-for': client }, { to: behind })).status;
        expect(await ops('127.0.0.1', '203.0.113.9')).toBe(403);
        expect(await ops('127.0.0.1', '10.9.8.7, 203.0.113.9')).toBe(403);
        expect(await ops('127.0.0.2', '10.9.8.7')).toBe(403);
        // The console has no password here.
        expect(await ops('127.0.0.1', '10.9.8.7')).toBe(404);
      } finally {
        await behind.close();
      }
    },
  );

  test('a rolling restart of two apis under load: no post is rejected or cut off, nothing is lost', async () => {
    let over = false;
    const posting = group.post((accepted) => over && accepted >= 200, proxy.url);
    try {
      for (const port of ports) {
        const before = group.receiver.requests.length;
        await group.receiver.waitFor((requests) => requests.length > before + 50, { timeoutMs: 60_000 });
        expect(await group.apis.shift()?.stop()).toBe(0);
        await group.start('api', port);
      }
    } finally {
      over = true;
    }
    const posted = await posting;
    const { 503: rejected = 0, ...others } = Object.fromEntries(posted.statuses);
    expect(Object.keys(others)).toEqual(['201']);
    expect(posted.cutOff).toBe(0);
    expect(posted.sentAgain + rejected).toBeLessThanOrEqual(allowedRepeats[name]);
    events.push(...posted.events);
    await group.expectComplete(events);
  });

  test('a POST without an Idempotency-Key that an api may have executed is not sent to another', async () => {
    let arrived = 0;
    // Healthy, but breaks every POST.
    const breaking = createServer(({ method, socket }, response) => {
      if (method === 'POST') {
        arrived += 1;
        socket.resetAndDestroy();
      } else response.end();
    });
    breaking.listen(0, '127.0.0.1');
    await once(breaking, 'listening');
    const address = breaking.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    const broken = `127.0.0.1:${address.port}`;
    const other = await startProxy(name, [broken, broken]);
    try {
      trustProxy(other);
      const response = await fetch(`${other.url}/api/v1/companies`, { method: 'POST', body: '{"name":"Once"}' });
      expect([response.status, response.headers.get('retry-after'), arrived]).toEqual([503, '5', 1]);
      expect(await response.json()).toMatchObject({ status: 503, code: 'unavailable' });
    } finally {
      await other.close();
      breaking.close();
      trustProxy(proxy);
    }
  });
});

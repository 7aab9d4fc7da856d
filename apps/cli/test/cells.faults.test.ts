// Risk: behind one address, a request reaches another cell or none, or the outage of a cell affects others.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@finhook/api/router';
import { createClient } from '@finhook/client';
import { createSignInLink, openAccount } from '@finhook/core';
import { chromiumBinary } from '@finhook/testing';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../src/build-dashboard.ts';
import { startCell } from './start-cell.ts';
import { installedProxies, type ProxyName, startProxy, trustProxy } from './start-proxy.ts';

afterAll(() => trustProxy());

type CellWithAccount = Awaited<ReturnType<typeof openCell>>;

async function openCell(name: string) {
  const cell = await startCell(name, { hasWorker: false });
  opened.defer(() => cell.close());
  const account = await openAccount(cell.core, { name: `Of ${name}`, mode: 'live', companyName: `Company of ${name}` });
  const old = await openAccount({ ...cell.core, cell: '' }, { name: 'Old', mode: 'live', companyName: 'Old Inc' });
  return { ...cell, ...account, oldKey: old.apiKey };
}

const opened = new AsyncDisposableStack();
let eu: CellWithAccount;
let us: CellWithAccount;
const upstreams = () => [eu, us].map(({ url }) => new URL(url).host);
beforeAll(async () => {
  expect(await buildDashboard()).toBeUndefined();
  [eu, us] = await Promise.all([openCell('eu'), openCell('us')]);
}, 240_000);
afterAll(() => opened.disposeAsync(), 60_000);

async function openProxy(stack: AsyncDisposableStack, name: ProxyName): Promise<string> {
  const proxy = stack.adopt(await startProxy(name, upstreams()), (server) => server.close());
  trustProxy(proxy);
  return proxy.url;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const get = (url: string, path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers, redirect: 'manual' });
const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify(body),
  });
/** Like the button of a sign-in link. */
const press = (url: string, path: string, headers: Record<string, string>) =>
  fetch(url + path, {
    method: 'POST',
    headers: { origin: url, ...headers },
    body: new URLSearchParams(),
    redirect: 'manual',
  });
const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
const signIn = (url: string, { apiKey }: CellWithAccount) => post(url, '/dashboard/session', { api_key: apiKey });

async function accountOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBeLessThan(300);
  return Reflect.get(Object(Reflect.get(Object(body), 'account')), 'id');
}

describe.each(installedProxies(['nginx for cells', 'the router of the chart'] as const))('behind %s', (name) => {
  const proxy = { url: '' };
  beforeAll(async () => void (proxy.url = await openProxy(opened, name)));

  test('REST, tRPC and MCP reach the cell of the key, and a key without a cell the default', async () => {
    for (const cell of [eu, us]) {
      const rest = createClient({ baseUrl: proxy.url, apiKey: cell.apiKey });
      expect((await rest.me.get()).account.id).toBe(cell.accountId);
      const trpc = createTRPCClient<AppRouter>({
        links: [httpBatchStreamLink({ url: `${proxy.url}/trpc`, headers: bearer(cell.apiKey) })],
      });
      const [me, companies] = await Promise.all([trpc.me.get.query(), trpc.companies.list.query({ q: 'Company of' })]);
      expect([me.account.id, companies.data.map(({ id }) => id)]).toEqual([cell.accountId, [cell.companyId]]);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'me_get', arguments: {} } };
      const accepts = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const mcp = await fetch(`${proxy.url}/mcp`, {
        method: 'POST',
        headers: { ...bearer(cell.apiKey), ...accepts },
        body: JSON.stringify(call),
      });
      expect(await mcp.text()).toContain(cell.accountId);
    }
    const old = await get(proxy.url, '/api/v1/me', bearer(eu.oldKey));
    expect(old.status).toBe(200);
    expect((await get(proxy.url, '/api/v1/me', bearer(us.oldKey))).status).toBe(401);
    expect((await get(proxy.url, '/docs')).status).toBe(200);
  });

  test('a key signs in at the cell that it names, which is known from the body only', async () => {
    for (const cell of [eu, us]) {
      const opening = await signIn(proxy.url, cell);
      expect(await accountOf(opening)).toBe(cell.accountId);
      const state = await get(proxy.url, '/dashboard/session', { cookie: cookieOf(opening) });
      expect(await accountOf(state)).toBe(cell.accountId);
    }
    // A browser with a session of the other cell.
    const cookie = cookieOf(await signIn(proxy.url, eu));
    const opening = await post(proxy.url, '/dashboard/session', { api_key: us.apiKey }, { cookie });
    expect(await accountOf(opening)).toBe(us.accountId);
  });

  test('a link opens a session of its cell, also in a browser with a session of another', async () => {
    const cookie = cookieOf(await signIn(proxy.url, eu));
    const link = await createSignInLink(us.core, us.apiKey);
    const opening = await press(proxy.url, `/dashboard/sign-in?link=${link}`, { cookie });
    expect([opening.status, opening.headers.get('location')]).toEqual([303, '/dashboard']);
    const state = await get(proxy.url, '/dashboard/session', { cookie: cookieOf(opening) });
    expect(await accountOf(state)).toBe(us.accountId);
  });

  test('a program logs in at the cell that it names, and its polls find it', async () => {
    const begun = await post(
      proxy.url,
      '/api/v1/device-authorization',
      { client_name: 'A program' },
      { 'finhook-cell': 'us' },
    );
    const device_code = String(Reflect.get(Object(await begun.json()), 'device_code'));
    expect(device_code).toMatch(/^us\./);
    const polled = await post(proxy.url, '/api/v1/device-token', { device_code });
    expect([polled.status, await polled.json()]).toMatchObject([400, { code: 'authorization_pending' }]);
  });

  test('the stream of each session has the changes of its account', async () => {
    for (const cell of [eu, us]) {
      const cookie = cookieOf(await signIn(proxy.url, cell));
      const stream = await get(proxy.url, '/dashboard/stream', { cookie });
      expect(stream.status).toBe(200);
      if (stream.body === null) throw new Error('The stream has no body.');
      let [seen, posted] = ['', false];
      for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
        seen += chunk;
        if (seen.includes('event: ready') && !posted) {
          posted = true;
          const created = await post(proxy.url, '/api/v1/companies', { name: 'Streamed' }, bearer(cell.apiKey));
          expect(created.status).toBe(201);
        }
        if (seen.includes('event: change')) break;
      }
    }
  });

  // A browser adds the same behind every proxy.
  test.runIf(chromiumBinary() !== null && name === 'nginx for cells')(
    'the dashboard works in a browser that signs in to either cell',
    async () => {
      const browser = await chromium.launch({
        executablePath: chromiumBinary() ?? '',
        args: ['--no-sandbox', '--ignore-certificate-errors'],
      });
      try {
        for (const cell of [us, eu]) {
          const page = await browser.newPage();
          // The form is shown before the page knows that it has no session.
          const session = page.waitForResponse((response) => response.url().endsWith('/dashboard/session'));
          await page.goto(`${proxy.url}/dashboard/sign-in`);
          expect((await session).status()).toBe(401);
          const failed: string[] = [];
          page.on('response', (response) => {
            if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
          });
          await page.getByLabel('API key').fill(cell.apiKey);
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByRole('navigation', { name: 'Main' }).waitFor();
          await page.goto(`${proxy.url}/dashboard/settings/keys`);
          await page.getByText(cell.apiKey.slice(0, 'sk_live_eu_AbCd'.length)).first().waitFor();
          expect(failed).toEqual([]);
          await page.close();
        }
      } finally {
        await browser.close();
      }
    },
    120_000,
  );

  test('the console of a cell has a name of its own, and is closed to addresses that the file does not list', async () => {
    const statusAt = async (host: string, path: string) => {
      const { port } = new URL(proxy.url);
      const headers = { host: `${host}:${port}` };
      const outgoing = request({ host: '127.0.0.1', port, servername: 'localhost', path, headers, agent: false }).end();
      const [response] = await once(outgoing, 'response');
      response.resume();
      return Number(response.statusCode);
    };
    expect([await statusAt('localhost', '/ops'), await statusAt('localhost', '/ops/queues')]).toEqual([404, 404]);
    // In Kubernetes, a console is reached at the Service of its cell.
    const closed = name === 'nginx for cells' ? 403 : 404;
    const ofCells = [await statusAt('eu.localhost', '/ops'), await statusAt('us.localhost', '/ops/queues')];
    expect(ofCells).toEqual([closed, closed]);
    const others = ['/metrics', '/readyz', '/healthz'].map((path) => statusAt('localhost', path));
    expect(await Promise.all(others)).toEqual([404, 404, 200]);
  });

  test('a key of another cell gets 421 from a cell itself, again and again, and a good key of that address goes on', async () => {
    for (let i = 0; i < 30; i++) {
      const response = await get(eu.url, '/api/v1/me', bearer(us.apiKey));
      expect([response.status, response.headers.get('finhook-cell')]).toEqual([421, 'us']);
      expect(await response.json()).toMatchObject({ code: 'wrong_cell', cell: 'us' });
    }
    expect((await get(eu.url, '/api/v1/me', bearer(eu.apiKey))).status).toBe(200);
    const guess = await get(eu.url, '/api/v1/me', bearer(us.oldKey));
    expect(guess.status).toBe(401);
  });

  test('the database of one cell is away: its accounts get 503, those of the other notice nothing', async () => {
    const statuses = new Map<number, number>();
    let over = false;
    const posting = (async () => {
      while (!over) {
        const { status } = await post(proxy.url, '/api/v1/companies', { name: 'Elsewhere' }, bearer(us.apiKey));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await delay(20);
      }
    })();
    await eu.postgres.stop();
    expect((await get(proxy.url, '/api/v1/me', bearer(eu.apiKey))).status).toBe(503);
    const opening = await signIn(proxy.url, us);
    expect(await accountOf(opening)).toBe(us.accountId);
    const page = await get(proxy.url, '/dashboard/sign-in');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
    const trpc = createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${proxy.url}/trpc`, headers: bearer(us.apiKey) })],
    });
    expect((await trpc.me.get.query()).account.id).toBe(us.accountId);
    const stream = await get(proxy.url, '/dashboard/stream', { cookie: cookieOf(opening) });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    await expect.poll(() => statuses.get(201) ?? 0, { timeout: 30_000 }).toBeGreaterThan(50);
    over = true;
    await posting;
    expect([...statuses.keys()]).toEqual([201]);
    await eu.postgres.restart();
    const back = async () => (await get(proxy.url, '/api/v1/me', bearer(eu.apiKey))).status;
    await expect.poll(back, { timeout: 30_000 }).toBe(200);
  }, 90_000);
});

describe.each(installedProxies(['nginx that lacks a cell'] as const))('behind %s', (name) => {
  test('a request goes to the cell that a 421 names, with its body, whatever its size, once', async () => {
    await using stack = new AsyncDisposableStack();
    const url = await openProxy(stack, name);
    const headers = bearer(us.apiKey);
    const large = 'x'.repeat(1_000_000);
    for (const more of [{}, { 'idempotency-key': 'once' }]) {
      const created = await post(url, '/api/v1/companies', { name: 'Sent again' }, { ...headers, ...more });
      expect(created.status).toBe(201);
      const tooLong = await post(url, '/api/v1/companies', { name: large }, { ...headers, ...more });
      expect(await tooLong.json()).toMatchObject({ code: 'validation_failed' });
    }
    const companies = await get(url, '/api/v1/companies?q=Sent%20again', headers);
    expect((await companies.text()).match(/"Sent again"/g)).toHaveLength(2);
    const trpc = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: `${url}/trpc`, headers })] });
    const [me] = await Promise.all([trpc.me.get.query(), trpc.companies.list.query()]);
    expect(me.account.id).toBe(us.accountId);
    const cookie = `__Host-finhook_session=zz.${'t'.repeat(43)}`;
    const nowhere = await get(url, '/dashboard/session', { cookie });
    expect([nowhere.status, await nowhere.json()]).toMatchObject([421, { code: 'wrong_cell', cell: 'zz' }]);
  });
});

/**
 * The cell `name`, which the account has left for `next`, unless it `returned`; it then responds to a proxy that names
 * it.
 */
async function startFormerCell(
  stack: AsyncDisposableStack,
  { name, next, returned }: { name: string; next: string; returned: boolean },
) {
  const bodies: string[] = [];
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await text(incoming));
    const isHere = returned && incoming.headers['finhook-cell'] === name;
    response.writeHead(isHere ? 200 : 421, isHere ? {} : { 'finhook-cell': next }).end();
  };
  const server = stack.use(createServer((incoming, response) => void respond(incoming, response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { host: `127.0.0.1:${address.port}`, bodies };
}

describe.each(installedProxies(['nginx for cells', 'the router of the chart'] as const))('behind %s', (name) => {
  test.each([
    { moves: 'twice', returned: true, status: 200, sent: 3 },
    { moves: 'more often, or whose cells name each other,', returned: false, status: 503, sent: 3 },
  ])(
    'a request of an account that has moved $moves is sent on twice, with its body',
    async ({ returned, status, sent }) => {
      await using stack = new AsyncDisposableStack();
      const first = await startFormerCell(stack, { name: 'eu', next: 'us', returned });
      const second = await startFormerCell(stack, { name: 'us', next: 'eu', returned: false });
      const proxy = stack.adopt(await startProxy(name, [first.host, second.host]), (server) => server.close());
      trustProxy(proxy);
      const headers = bearer(eu.apiKey);
      const plain = await post(proxy.url, '/api/v1/companies', { name: 'Moved' }, headers);
      const keyed = await post(
        proxy.url,
        '/api/v1/companies',
        { name: 'Moved' },
        { ...headers, 'idempotency-key': 'one' },
      );
      expect([plain.status, keyed.status]).toEqual([status, status]);
      for (const response of status === 503 ? [plain, keyed] : []) {
        expect([response.headers.get('retry-after'), await response.json()]).toMatchObject([
          '2',
          { code: 'account_moving' },
        ]);
      }
      expect([...first.bodies, ...second.bodies]).toEqual(Array.from({ length: 2 * sent }, () => '{"name":"Moved"}'));
    },
  );
});

describe.each(installedProxies(['haproxy for cells'] as const))('behind %s', (name) => {
  test('keys, sessions, links and sign-ins reach their cell', async () => {
    await using stack = new AsyncDisposableStack();
    const url = await openProxy(stack, name);
    for (const cell of [eu, us]) {
      expect(await accountOf(await get(url, '/api/v1/me', bearer(cell.apiKey)))).toBe(cell.accountId);
      const created = await post(url, '/api/v1/companies', { name: 'Behind HAProxy' }, bearer(cell.apiKey));
      expect(created.status).toBe(201);
      const opening = await signIn(url, cell);
      expect(await accountOf(opening)).toBe(cell.accountId);
      const cookie = cookieOf(opening);
      expect(await accountOf(await get(url, '/dashboard/session', { cookie }))).toBe(cell.accountId);
    }
    const link = await createSignInLink(us.core, us.apiKey);
    const opening = await press(url, `/dashboard/sign-in?link=${link}`, { cookie: cookieOf(await signIn(url, eu)) });
    expect([opening.status, cookieOf(opening)]).toEqual([303, expect.stringContaining('=us.')]);
    expect((await get(url, '/api/v1/me', bearer(eu.oldKey))).status).toBe(200);
    for (const path of ['/ops', '/readyz', '/api/v1/readyz']) expect((await get(url, path)).status).toBe(404);
  });
});

const forCells = ['nginx for cells', 'the router of the chart', 'haproxy for cells'] as const;
describe.each(installedProxies(forCells))('behind %s', (name) => {
  test('the apis of the default cell are gone: its accounts get 503 with Retry-After, and the other cell works', async () => {
    await using stack = new AsyncDisposableStack();
    const url = await openProxy(stack, name);
    await eu.api.kill();
    const headers = bearer(eu.apiKey);
    for (const more of [{}, { 'idempotency-key': 'while away' }]) {
      const posted = await post(url, '/api/v1/companies', { name: 'Away' }, { ...headers, ...more });
      const seen = [posted.status, posted.headers.get('retry-after'), posted.headers.get('content-type')];
      expect(seen).toEqual([503, '5', 'application/problem+json']);
      expect(await posted.json()).toMatchObject({ status: 503, code: 'unavailable', retryable: true });
    }
    const client = createClient({ baseUrl: url, apiKey: eu.apiKey, maxRetries: 0 });
    await expect(client.me.get()).rejects.toMatchObject({ status: 503, retryable: true, retryAfterMs: 5_000 });
    expect((await createClient({ baseUrl: url, apiKey: us.apiKey }).me.get()).account.id).toBe(us.accountId);
    if (name === 'haproxy for cells') return;
    expect((await get(url, '/docs')).status).toBe(200);
    expect((await get(url, '/dashboard/sign-in')).status).toBe(200);
    expect(await accountOf(await signIn(url, us))).toBe(us.accountId);
  });
});

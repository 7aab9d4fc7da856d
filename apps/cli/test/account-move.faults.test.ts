// Risk: moving an account under load loses or repeats a post or an event, a killed move leaves it in no cell or in
// both, or its keys, sessions and streams don't find it behind the proxy.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@finhook/api/router';
import { openAccount, sealAuditLog, verifyAuditLog } from '@finhook/core';
import { compileCache, type Receiver, startReceiver, withClient } from '@finhook/testing';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cell, startCell } from './start-cell.ts';
import { installedProxies, startProxy, trustProxy } from './start-proxy.ts';

const script = new URL('../src/account-move.ts', import.meta.url).pathname;
let old: Cell;
let next: Cell;
let receiver: Receiver;

const opened = new AsyncDisposableStack();
const openCell = async (name: string): Promise<Cell> =>
  opened.adopt(await startCell(name, { hasWorker: true }), (cell) => cell.close());
beforeAll(async () => {
  receiver = opened.adopt(await startReceiver(), (server) => server.close());
  [old, next] = await Promise.all([openCell('eu'), openCell('us')]);
}, 240_000);
afterAll(() => opened.disposeAsync(), 60_000);
afterAll(() => trustProxy());

function begin(accountId: string, isReturn = false): ChildProcess {
  const [from, to, name] = isReturn ? [next, old, 'eu'] : [old, next, 'us'];
  return spawn(
    process.execPath,
    [script, '--account', accountId, '--to-database-url', to.databaseUrl, '--to-cell', name],
    {
      env: { NODE_COMPILE_CACHE: compileCache, DATABASE_URL: from.databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/**
 * Runs the move until it prints the step, or `step` resolves, and kills it; resolves once its connections are closed.
 */
async function killAt(accountId: string, step: string | (() => Promise<void>)): Promise<void> {
  const move = begin(accountId);
  const exited = once(move, 'exit');
  await (typeof step === 'string' ? printed(move, step) : step());
  move.kill('SIGKILL');
  await exited;
  for (const cell of [old, next]) await expect.poll(() => connectionsOfMove(cell), { timeout: 30_000 }).toBe(0);
}

async function printed(move: ChildProcess, step: string): Promise<void> {
  if (move.stdout === null) throw new Error('The move has no output.');
  for await (const line of createInterface({ input: move.stdout })) if (line.includes(`"step":"${step}"`)) return;
  throw new Error(`The move ended before ${step}.`);
}

async function finish(accountId: string, isReturn = false): Promise<{ code: number | null; error: string }> {
  const move = begin(accountId, isReturn);
  let error = '';
  move.stderr?.on('data', (text: Buffer) => {
    error += text.toString();
  });
  const [code] = await once(move, 'close');
  return { code: Number(code), error };
}

/** Other connections have an application_name. Only the owner sees waits of others. */
async function connectionsOfMove({ core }: Cell, condition = 'true'): Promise<number> {
  const [row] = await core.database.owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name = '' AND ${condition}`,
  );
  return row?.n ?? 0;
}

/** Resolves when the move waits for a lock. */
const isBlocked = (cell: Cell): Promise<void> =>
  expect.poll(() => connectionsOfMove(cell, "wait_event_type = 'Lock'"), { timeout: 180_000 }).toBe(1);

/** Holds the locks of `sql` during `work`. */
const holding = (cell: Cell, sql: string, work: () => Promise<void>): Promise<void> =>
  withClient(`${cell.databaseUrl}?application_name=test`, async (client) => {
    await client.query('BEGIN');
    await client.query(sql);
    await work();
    await client.query('ROLLBACK');
  });

interface Account {
  accountId: string;
  companyId: string;
  apiKey: string;
}

const call = (url: string, apiKey: string, path: string, body?: unknown, key?: string): Promise<Response> =>
  fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      // Like a proxy after a 421: the key names the account's former cell.
      ...(url === next.url ? { 'finhook-cell': 'us' } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/**
 * Posts balances, each until it is accepted: `atOnce` at the beginning, then at most one per caller in `pauseMs`.
 * Follows the new cell's address once this one names it.
 */
function postUntil(
  account: Account,
  isOver: () => boolean,
  firstUrl = old.url,
  { callers = 10, pauseMs = 100, atOnce = 0 } = {},
) {
  const statuses = new Map<number, number>();
  const events: string[] = [];
  let posts = 0;
  let url = firstUrl;
  const postOne = async (): Promise<void> => {
    const n = posts++;
    const as_of = new Date(Date.UTC(2000, 0, 1) + n * 86_400_000).toISOString().slice(0, 10);
    const body = { as_of, balance_cents: n, currency: 'USD' };
    for (;;) {
      const response = await call(
        url,
        account.apiKey,
        `/companies/${account.companyId}/cash/balances`,
        body,
        `post-${n}`,
      );
      const { event_id, cell } = eventOf(await response.json());
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (event_id !== undefined) return void events.push(event_id);
      if (response.status === 421 && cell === 'us') url = next.url;
      else await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  };
  const caller = async (): Promise<void> => {
    while (!isOver()) await Promise.all([postOne(), delay(pauseMs)]);
  };
  const done = Promise.all([...Array.from({ length: atOnce }, postOne), ...Array.from({ length: callers }, caller)]);
  return { statuses, events, done };
}

interface PostResponse {
  event_id?: string;
  cell?: string;
}

// A balance post returns the event's id, a 421 the cell.
function eventOf(response: unknown): PostResponse {
  return response as PostResponse;
}

interface Page {
  data: { id: string; type: string }[];
  next_cursor: string | null;
  has_more: boolean;
}

const balanceEvents = (events: Page['data']): string[] =>
  events.filter(({ type }) => type === 'bank.balance.updated').map(({ id }) => id);

async function readFeed(url: string, { apiKey }: Account, after?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const query = `order=asc&limit=100${cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`}`;
    const page = pageOf(await (await call(url, apiKey, `/events?${query}`)).json());
    ids.push(...balanceEvents(page.data));
    cursor = page.next_cursor ?? cursor;
    if (!page.has_more) return { ids, cursor: cursor ?? '' };
  }
}

function pageOf(response: unknown): Page {
  return response as Page;
}

/** Ids of the events that the account's endpoint received. */
const received = (path: string): string[] =>
  receiver.requests.filter((request) => request.path === path).map(({ headers }) => String(headers['webhook-id']));

async function openWithEndpoint(name: string): Promise<Account> {
  const account = await openAccount(old.core, { name, mode: 'test', companyName: `${name} Inc` });
  const body = { url: `${receiver.url}/${name}`, events: ['bank.balance.updated'] };
  expect((await call(old.url, account.apiKey, '/webhook-endpoints', body)).status).toBe(201);
  return account;
}

test('an account moves under 100 posts a second, killed at each step: nothing is lost or sent twice, and others notice nothing', {
  timeout: 900_000,
}, async () => {
  const [account, other] = [await openWithEndpoint('moving'), await openWithEndpoint('staying')];
  const { accountId } = account;
  let isOver = false;
  const posted = postUntil(account, () => isOver);
  const others = postUntil(other, () => isOver);
  await expect.poll(() => posted.events.length, { timeout: 60_000 }).toBeGreaterThan(100);
  const seen = await readFeed(old.url, account);
  const ofMove = `SELECT FROM account_move WHERE account_id = '${accountId}' FOR UPDATE`;

  await holding(next, 'LOCK TABLE company IN ACCESS EXCLUSIVE MODE', () => killAt(accountId, () => isBlocked(next)));
  await killAt(accountId, 'draining');
  const noArrival = 'LOCK TABLE account_move IN SHARE MODE';
  await holding(next, noArrival, () => killAt(accountId, () => isBlocked(next)));
  // The new cell has the copy, and the old one does not name it yet.
  await withClient(`${old.databaseUrl}?application_name=test`, async (client) => {
    await killAt(accountId, async () => {
      await holding(next, noArrival, async () => {
        await isBlocked(next);
        await client.query('BEGIN');
        await client.query(ofMove);
      });
      await isBlocked(old);
    });
    await client.query('ROLLBACK');
  });
  await holding(next, ofMove, () => killAt(accountId, () => isBlocked(next)));
  const accepted = posted.events.length;
  expect(await finish(accountId)).toEqual({ code: 0, error: '' });
  await expect.poll(() => posted.events.length, { timeout: 60_000 }).toBeGreaterThan(accepted + 100);
  isOver = true;
  await Promise.all([posted.done, others.done]);

  expect([...posted.statuses.keys()].toSorted()).toEqual([201, 421, 503]);
  expect([...others.statuses.keys()]).toEqual([201]);
  expect(await finish(accountId)).toEqual({ code: 0, error: '' });
  const after = await readFeed(next.url, account, seen.cursor);
  expect(new Set(after.ids).size).toBe(after.ids.length);
  expect([...seen.ids, ...after.ids].toSorted()).toEqual(posted.events.toSorted());

  await expect.poll(() => new Set(received('/moving')).size, { timeout: 60_000 }).toBe(posted.events.length);
  await expect.poll(() => new Set(received('/staying')).size, { timeout: 60_000 }).toBe(others.events.length);
  expect(received('/moving').toSorted()).toEqual(posted.events.toSorted());
  for (const { core } of [old, next]) {
    await sealAuditLog(core);
    expect(await verifyAuditLog(core)).toMatchObject({ unsealed: 0, mismatch: undefined });
  }
});

/**
 * Reads the session's stream like the dashboard: after a disconnect it continues after the last id. The message `end`
 * ends the session.
 */
function followStream(url: string, cookie: string, signal: AbortSignal) {
  const statuses: number[] = [];
  const events: string[] = [];
  let lastId = '';
  let hasEnded = false;
  const read = async (): Promise<void> => {
    const headers = { cookie, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
    const { status, body } = await fetch(`${url}/dashboard/stream`, { headers, signal });
    statuses.push(status);
    if (body === null) throw new Error('The stream has no body.');
    for await (const line of createInterface(Readable.fromWeb(body))) {
      hasEnded ||= line === 'event: end';
      lastId = /^id: (.*)/.exec(line)?.[1] ?? lastId;
      const change = changeOf(JSON.parse(/^data: (.*)/.exec(line)?.[1] ?? '{}'));
      events.push(...balanceEvents(change.events ?? []));
    }
  };
  const readOn = async (): Promise<void> => {
    while (!signal.aborted && !hasEnded) await Promise.all([read(), delay(250)]);
  };
  const done = readOn().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return { statuses, events, done };
}

function changeOf(data: unknown): { events?: Page['data'] } {
  return data as { events?: Page['data'] };
}

async function signIn(url: string, { apiKey }: Account): Promise<string> {
  const response = await fetch(`${url}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ api_key: apiKey }),
  });
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

const accountAt = async (url: string, headers: Record<string, string>): Promise<unknown> => {
  const trpc = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: `${url}/trpc`, headers })] });
  const [me] = await Promise.all([trpc.me.get.query(), trpc.companies.list.query()]);
  return me.account.id;
};

describe.each(installedProxies(['nginx for cells'] as const))('behind %s', (name) => {
  test('an account moves while its client posts and its dashboard is open: the key, the session, the cursor and the stream go on', {
    timeout: 180_000,
  }, async () => {
    const hosts = [old, next].map(({ url }) => new URL(url).host);
    const proxy = opened.adopt(await startProxy(name, hosts), (server) => server.close());
    trustProxy(proxy);
    const account = await openAccount(old.core, { name: 'Behind', mode: 'live', companyName: 'Behind Inc' });
    const authorization = `Bearer ${account.apiKey}`;
    const cookie = await signIn(proxy.url, account);
    expect(cookie).toContain('=eu.');
    const closing = new AbortController();
    const dashboard = followStream(proxy.url, cookie, closing.signal);
    await expect.poll(() => dashboard.statuses).toEqual([200]);
    let isOver = false;
    const posted = postUntil(account, () => isOver, proxy.url);
    await expect.poll(() => dashboard.events.length, { timeout: 60_000 }).toBeGreaterThan(20);
    const seen = await readFeed(proxy.url, account);

    expect(await finish(account.accountId)).toEqual({ code: 0, error: '' });
    const accepted = posted.events.length;
    await expect.poll(() => posted.events.length, { timeout: 60_000 }).toBeGreaterThan(accepted + 20);
    isOver = true;
    await posted.done;
    expect([...posted.statuses.keys()].toSorted()).toEqual([201, 503]);

    const after = await readFeed(proxy.url, account, seen.cursor);
    expect([...seen.ids, ...after.ids].toSorted()).toEqual(posted.events.toSorted());
    await expect.poll(() => dashboard.events.length, { timeout: 30_000 }).toBe(posted.events.length);
    expect(dashboard.events.toSorted()).toEqual(posted.events.toSorted());
    expect(dashboard.statuses).toEqual([200, 200]);
    closing.abort();
    await dashboard.done;

    expect(await accountAt(proxy.url, { authorization })).toBe(account.accountId);
    expect(await accountAt(proxy.url, { cookie })).toBe(account.accountId);
    const direct = async (cell: Cell, headers: Record<string, string>) => {
      const response = await fetch(`${cell.url}/api/v1/me`, { headers: { authorization, ...headers } });
      return [response.status, response.headers.get('finhook-cell')];
    };
    expect(await direct(old, {})).toEqual([421, 'us']);
    expect(await direct(next, {})).toEqual([421, 'eu']);
    expect(await direct(next, { 'finhook-cell': 'us' })).toEqual([200, null]);
  });

  test('an account moves back and forth twice under 60 posts a second, with 200 more that wait: no client gets a 421, nothing is lost or sent twice', {
    timeout: 600_000,
  }, async () => {
    const hosts = [old, next].map(({ url }) => new URL(url).host);
    await using stack = new AsyncDisposableStack();
    const proxy = stack.adopt(await startProxy(name, hosts), (server) => server.close());
    trustProxy(proxy);
    const account = await openWithEndpoint('returning');
    let isOver = false;
    const posted = postUntil(account, () => isOver, proxy.url, { callers: 60, pauseMs: 1_000, atOnce: 200 });
    for (let n = 0; n < 4; n++) {
      const accepted = posted.events.length;
      await expect.poll(() => posted.events.length, { timeout: 60_000 }).toBeGreaterThan(accepted + 60);
      expect(await finish(account.accountId, n % 2 === 1)).toEqual({ code: 0, error: '' });
    }
    isOver = true;
    await posted.done;
    expect([...posted.statuses.keys()].filter((status) => ![201, 429].includes(status))).toEqual([503]);
    const { ids } = await readFeed(proxy.url, account);
    expect(ids.toSorted()).toEqual(posted.events.toSorted());
    await expect.poll(() => new Set(received('/returning')).size, { timeout: 60_000 }).toBe(posted.events.length);
    expect(received('/returning').toSorted()).toEqual(posted.events.toSorted());
  });
});

// Risk: an account that moves under load loses or repeats a post or an event, or a killed move leaves it in neither cell or in both.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Core, openAccount, openCore, sealAuditLog, verifyAuditLog } from '@finhook/core';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { compileCache, type Receiver, startReceiver, withClient } from '@finhook/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, secretsKey, startService } from './service-process.ts';

interface Cell {
  postgres: EmbeddedPostgres;
  core: Core;
  url: string;
  databaseUrl: string;
  processes: ServiceProcess[];
}

const folder = mkdtempSync(join(tmpdir(), 'finhook-move-'));
const script = new URL('../src/account-move.ts', import.meta.url).pathname;
let old: Cell;
let next: Cell;
let receiver: Receiver;

async function openCell(name: string): Promise<Cell> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, name), port: 0, durable: false });
  const databaseUrl = postgres.url('postgres');
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true });
  await core.database.migrate();
  const urls = { databaseUrl, queueUrl: databaseUrl, cell: name };
  const processes = [startService('api', urls), startService('worker', urls)];
  const [url = ''] = await Promise.all(processes.map(({ ready }) => ready));
  return { postgres, core, url, databaseUrl, processes };
}

beforeAll(async () => {
  receiver = await startReceiver();
  old = await openCell('old');
  next = await openCell('next');
}, 240_000);

afterAll(async () => {
  await Promise.all([old, next].flatMap(({ processes }) => processes.map((one) => one.kill())));
  await Promise.all([old, next].map(({ core }) => core.database.close()));
  await Promise.all([receiver.close(), old.postgres.stop(), next.postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const begin = (accountId: string): ChildProcess =>
  spawn(
    process.execPath,
    [script, '--account', accountId, '--to-database-url', next.databaseUrl, '--to-cell', 'next'],
    {
      env: { NODE_COMPILE_CACHE: compileCache, DATABASE_URL: old.databaseUrl, SECRETS_KEY: secretsKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

/** Runs the move until it prints the step, or waits for a lock of `at`, and kills it; resolves once its connections are gone. */
async function killAt(accountId: string, step: string | { at: Cell }): Promise<void> {
  const move = begin(accountId);
  const exited = once(move, 'exit');
  if (typeof step === 'string') await printed(move, step);
  else await expect.poll(() => connectionsOfMove(step.at, "wait_event_type = 'Lock'"), { timeout: 180_000 }).toBe(1);
  move.kill('SIGKILL');
  await exited;
  for (const cell of [old, next]) await expect.poll(() => connectionsOfMove(cell), { timeout: 30_000 }).toBe(0);
}

async function printed(move: ChildProcess, step: string): Promise<void> {
  if (move.stdout === null) throw new Error('The move has no output.');
  for await (const line of createInterface({ input: move.stdout })) if (line.includes(`"step":"${step}"`)) return;
  throw new Error(`The move ended before ${step}.`);
}

async function finish(accountId: string): Promise<{ code: number | null; error: string }> {
  const move = begin(accountId);
  let error = '';
  move.stderr?.on('data', (text: Buffer) => {
    error += text.toString();
  });
  const [code] = await once(move, 'close');
  return { code: Number(code), error };
}

/** Connections of the service and of tests have a name. Only the owner sees what others wait for. */
async function connectionsOfMove({ core }: Cell, condition = 'true'): Promise<number> {
  const [row] = await core.database.owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name = '' AND ${condition}`,
  );
  return row?.n ?? 0;
}

/** Holds what `sql` locks while `work` runs. */
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
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const callers = 10;

/** Posts balances, at most about 100 a second, each until it is accepted: to the old cell until that names the new one. */
function postUntil(account: Account, isOver: () => boolean) {
  const statuses = new Map<number, number>();
  const events: string[] = [];
  let posts = 0;
  let url = old.url;
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
      if (response.status === 421 && cell === 'next') url = next.url;
      else await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  };
  const caller = async (): Promise<void> => {
    while (!isOver()) await Promise.all([postOne(), delay(100)]);
  };
  const done = Promise.all(Array.from({ length: callers }, caller));
  return { statuses, events, done };
}

// A balance post returns the event's id, and a 421 the cell.
function eventOf(response: unknown): { event_id?: string; cell?: string } {
  return response as { event_id?: string; cell?: string };
}

interface Page {
  data: { id: string; type: string }[];
  next_cursor: string | null;
  has_more: boolean;
}

async function readFeed(url: string, { apiKey }: Account, after?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const query = `order=asc&limit=100${cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`}`;
    const page = pageOf(await (await call(url, apiKey, `/events?${query}`)).json());
    ids.push(...page.data.filter(({ type }) => type === 'bank.balance.updated').map(({ id }) => id));
    cursor = page.next_cursor ?? cursor;
    if (!page.has_more) return { ids, cursor: cursor ?? '' };
  }
}

function pageOf(response: unknown): Page {
  return response as Page;
}

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

  await killAt(accountId, 'draining');
  await holding(next, 'LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE', () => killAt(accountId, { at: next }));
  await holding(old, ofMove, () => killAt(accountId, { at: old }));
  await holding(next, ofMove, () => killAt(accountId, { at: next }));
  const accepted = posted.events.length;
  expect(await finish(accountId)).toEqual({ code: 0, error: '' });
  await expect.poll(() => posted.events.length, { timeout: 60_000 }).toBeGreaterThan(accepted + 100);
  isOver = true;
  await Promise.all([posted.done, others.done]);

  expect([...posted.statuses.keys()].toSorted()).toEqual([201, 421, 503]);
  expect([...others.statuses.keys()]).toEqual([201]);
  expect((await finish(accountId)).error).toContain('has moved to the cell next already');
  const after = await readFeed(next.url, account, seen.cursor);
  expect(new Set(after.ids).size).toBe(after.ids.length);
  expect([...seen.ids, ...after.ids].toSorted()).toEqual(posted.events.toSorted());

  const received = (path: string) =>
    receiver.requests.filter((request) => request.path === path).map(({ headers }) => String(headers['webhook-id']));
  await expect.poll(() => new Set(received('/moving')).size, { timeout: 60_000 }).toBe(posted.events.length);
  await expect.poll(() => new Set(received('/staying')).size, { timeout: 60_000 }).toBe(others.events.length);
  expect(received('/moving').toSorted()).toEqual(posted.events.toSorted());
  for (const { core } of [old, next]) {
    await sealAuditLog(core);
    expect(await verifyAuditLog(core)).toMatchObject({ unsealed: 0, mismatch: undefined });
  }
});

// Risk: a list from a standby misses rows that its account has just stored, or callers notice a standby that lags or is down.
import { type Operation, operationList, operations } from '@finhook/contracts';
import { type Core, moveAccount, openCore, type ReplicaReadResult } from '@finhook/core';
import { migrateDatabase } from '@finhook/core/test';
import {
  createTestDatabase,
  type PostgresGroup,
  startFaultProxy,
  startPostgresGroup,
  withClient,
} from '@finhook/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { type ApiFixture, openApiFixture, SECRETS_KEY } from './api-fixture.ts';
import { inputFor } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

const stop = new AsyncDisposableStack();
const reads: ReplicaReadResult[] = [];
let postgres: PostgresGroup;
let fixture: ApiFixture;
let seed: Seed;
let name: string;
/** The other api process, with the same account. */
let other: ApiClient;

beforeAll(async () => {
  postgres = await startPostgresGroup();
  stop.defer(() => postgres.close());
  const database = await createTestDatabase(postgres.primary.url('postgres'));
  name = database.name;
  await migrateDatabase(database.url);
  const replica = {
    url: postgres.standby.url(name),
    everyMs: 50,
    maxLagMs: 2_000,
    onRead: (result: ReplicaReadResult) => void reads.push(result),
  };
  fixture = await openApiFixture(postgres.primary.url('postgres'), { databaseUrl: database.url, replica });
  stop.defer(() => fixture.close());
  seed = await seedTenant(fixture);
  other = (await fixture.openSecondApi()).as(fixture.apiKey);
}, 120_000);
afterAll(() => stop.disposeAsync());
beforeEach(() => untilReplicaReads());

const { cases, companies, events } = operations;

async function readsOf(call: () => Promise<{ status: number; text: string }>): Promise<ReplicaReadResult[]> {
  reads.length = 0;
  const { status, text } = await call();
  expect(status, text).toBe(200);
  return [...new Set(reads)];
}

const openReplicaCore = (url: string, statementMs?: number): Promise<Core> =>
  openCore({
    databaseUrl: fixture.databaseUrl,
    replica: { url, everyMs: 50, statementMs, onRead: (result) => void reads.push(result) },
    secretsKey: SECRETS_KEY,
    allowInsecureWebhooks: true,
  });

/** Waits until both processes read from the standby, which has replayed everything. */
async function untilReplicaReads(): Promise<void> {
  for (const client of [fixture.client, other]) {
    await expect.poll(() => readsOf(() => client.rest(companies.list)), { timeout: 20_000 }).toEqual(['replica']);
  }
}

const replay = (verb: 'pause' | 'resume') =>
  withClient(postgres.standby.url(name), (client) => client.query(`SELECT pg_wal_replay_${verb}()`));

async function whilePaused(work: () => Promise<void>): Promise<void> {
  await replay('pause');
  try {
    await work();
  } finally {
    await replay('resume');
  }
}

const isPage = ({ http, input }: Operation) =>
  http.method === 'GET' && 'shape' in input && 'after' in Object(input.shape);
const served = operationList.filter((operation) => operation.replica ?? isPage(operation));

test.each(served)('$id runs on the standby', async (operation) => {
  const input = inputFor(operation, seed);
  // The first read of sums stores them, on the primary.
  await expect
    .poll(() => readsOf(() => fixture.client.rest(operation, input)), { timeout: 20_000 })
    .toEqual(['replica']);
});

test('exports run on the standby, the feed and single records do not', async () => {
  const csv = () => fixture.client.send('GET', '/api/v1/companies?format=csv');
  expect(await readsOf(csv)).toEqual(['replica']);
  expect(await readsOf(() => fixture.client.rest(events.list))).toEqual([]);
  expect(await readsOf(() => fixture.client.rest(companies.get, { company_id: seed.company_id }))).toEqual([]);
});

test('what one process stores, a list of the other shows at once, though the standby has not replayed it', async () => {
  await whilePaused(async () => {
    const created = await fixture.client.rest(companies.create, { name: 'Just Stored Inc' });
    expect(created.status).toBe(201);
    expect(
      await readsOf(async () => {
        const list = await other.rest(companies.list);
        expect(list.body.data.map(({ id }) => id)).toContain(created.body.id);
        return list;
      }),
    ).toEqual(['behind']);
  });
});

test('an account whose changes the standby has replayed is read from it while another account writes', async () => {
  const quiet = await fixture.openTenant('Quiet');
  await expect.poll(() => readsOf(() => quiet.client.rest(companies.list))).toEqual(['replica']);
  await whilePaused(async () => {
    await fixture.client.rest(cases.create, inputFor(cases.create, seed));
    expect(await readsOf(() => quiet.client.rest(companies.list))).toEqual(['replica']);
    expect(await readsOf(() => fixture.client.rest(companies.list))).toEqual(['behind']);
  });
});

test('a standby that lags too much, which its lag shows, is not read until it has caught up', async () => {
  const core = await openReplicaCore(postgres.standby.url(name));
  const lag = (): number => core.database.replicaLagMs?.() ?? Number.NaN;
  const quiet = await fixture.openTenant('Slow');
  await expect.poll(() => readsOf(() => quiet.client.rest(companies.list))).toEqual(['replica']);
  await whilePaused(async () => {
    await fixture.client.rest(cases.create, inputFor(cases.create, seed));
    await expect.poll(() => readsOf(() => quiet.client.rest(companies.list))).toEqual(['unavailable']);
    expect(lag()).toBeGreaterThan(1_500);
  });
  await expect.poll(() => readsOf(() => quiet.client.rest(companies.list))).toEqual(['replica']);
  await expect.poll(lag).toBeLessThan(1_500);
  await core.database.close();
});

test('callers do not notice a standby that stops, and it serves reads again after its start', async () => {
  const statuses = new Set<number>();
  let isOver = false;
  const reading = [fixture.client, other].map(async (client) => {
    while (!isOver) statuses.add((await client.rest(companies.list)).status);
  });
  await postgres.standby.stop();
  await expect.poll(() => readsOf(() => other.rest(companies.list))).toEqual(['unavailable']);
  expect((await fixture.client.send('GET', '/readyz')).status).toBe(200);
  await postgres.standby.restart();
  await untilReplicaReads();
  isOver = true;
  await Promise.all(reading);
  expect([...statuses]).toEqual([200]);
});

test('a read that the standby cancels for its replay runs once more, on the primary', async () => {
  const core = await openReplicaCore(postgres.standby.url(name));
  try {
    const mine = core.database.forAccount(fixture.accountId);
    const reading = await openReads(mine);
    // It is slow on the standby only.
    const rows = reading.query(
      'SELECT id FROM company, pg_sleep(CASE WHEN pg_is_in_recovery() THEN 4 ELSE 0 END) WHERE id = $1',
      [seed.company_id],
    );
    const isRunning = 'SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()';
    await withClient(postgres.standby.url(name), (client) =>
      expect.poll(async () => (await client.query(isRunning, ['%pg_sleep%'])).rowCount).toBe(1),
    );
    await withClient(postgres.primary.url(name), (client) =>
      client.query('BEGIN; LOCK TABLE company IN ACCESS EXCLUSIVE MODE; COMMIT'),
    );
    expect(await rows).toEqual([{ id: seed.company_id }]);
    expect(reads).toContain('failed');
    const conflicts = 'SELECT confl_lock::int AS found FROM pg_stat_database_conflicts WHERE datname = $1';
    await withClient(postgres.standby.url(name), (client) =>
      expect.poll(async () => (await client.query(conflicts, [name])).rows).toEqual([{ found: 1 }]),
    );
  } finally {
    await core.database.close();
  }
});

test('a connection to the standby that hangs delays a read for the time of a statement, which then runs on the primary', async () => {
  const proxy = await startFaultProxy(postgres.standby.url(name));
  const core = await openReplicaCore(proxy.url, 1_000);
  try {
    const mine = core.database.forAccount(fixture.accountId);
    const reading = await openReads(mine);
    const held = proxy.hold({ statement: 'has_replayed_account', when: 'before' });
    const rows = reading.query('SELECT id FROM company WHERE id = $1', [seed.company_id]);
    await held;
    expect(await rows).toEqual([{ id: seed.company_id }]);
    expect(reads).toContain('failed');
  } finally {
    await core.database.close();
    await proxy.close();
  }
});

test('a statement that takes too long runs on the primary, and the reads of others stay on the standby', async () => {
  const core = await openReplicaCore(postgres.standby.url(name), 1_000);
  try {
    const mine = core.database.forAccount(fixture.accountId);
    const [slow, quick] = [await openReads(mine), await openReads(mine)];
    const rows = slow.query(
      'SELECT id FROM company, pg_sleep(CASE WHEN pg_is_in_recovery() THEN 30 ELSE 0 END) WHERE id = $1',
      [seed.company_id],
    );
    await quick.query('SELECT id FROM company');
    expect(await rows).toEqual([{ id: seed.company_id }]);
    expect(reads).toEqual(['replica', 'failed']);
    expect(await mine.forReading?.()).toBeDefined();
  } finally {
    await core.database.close();
  }
});

test('on the standby as well, a statement sees the rows of its account only', async () => {
  const stranger = await fixture.openTenant('Stranger');
  const core = await openReplicaCore(postgres.standby.url(name));
  try {
    const reading = await openReads(core.database.forAccount(stranger.accountId));
    expect(await reading.query('SELECT id FROM company')).toEqual([{ id: stranger.companyId }]);
    expect(reads).toContain('replica');
  } finally {
    await core.database.close();
  }
});

test('an account cannot move to a standby', async () => {
  const options = { accountId: fixture.accountId, fromUrl: fixture.databaseUrl, toCell: 'eu' };
  const moving = moveAccount({ ...options, toUrl: postgres.standby.url(name) });
  await expect(moving).rejects.toThrow('The database of the target cell is a standby. Name the primary.');
});

/** The reads of a request that begins when the standby is available. */
async function openReads(database: Core['database']): Promise<Core['database']> {
  return vi.waitFor(async () => {
    const reading = await database.forReading?.();
    reads.length = 0;
    await reading?.query('SELECT 1 AS one FROM account');
    expect(reads).toEqual(['replica']);
    reads.length = 0;
    if (reading === undefined) throw new Error('There is no replica.');
    return reading;
  }, 20_000);
}

// Risk: lost connections exhaust the pool, so that a restart of PostgreSQL stops the service.
import { createTestDatabase, startFaultProxy } from '@finhook/testing';
import { useOpened } from '@finhook/testing/use';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { isDatabaseUnavailable, isOutcomeUnknown, isStatementTimeout } from './database-error.ts';
import { systemStatement } from './queryable.ts';

const POOL = 2;
const server = useOpened(
  () => createTestDatabase(inject('pgUrl')),
  (created) => created.drop(),
);
let database: Database;
beforeEach(async () => {
  database = await openDatabase({ url: server.url, entities: [], migrations: [], poolSize: POOL });
  await database.query('DROP TABLE IF EXISTS note');
});
afterEach(() => database.close());

const dieIn = (db: Pick<Database, 'query'>) => db.query('SELECT pg_terminate_backend(pg_backend_pid())');

test('connections that are killed inside transactions are replaced, however many', async () => {
  for (let i = 0; i < 3 * POOL; i++) {
    const lost = database.transaction((tx) => dieIn(tx));
    await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  }
  const both = await Promise.all(
    Array.from({ length: POOL }, () => database.transaction((tx) => tx.query('SELECT pg_sleep(0.01), 1 AS one'))),
  );
  expect(both.flat()).toHaveLength(POOL);
});

test('connections that are killed outside transactions are replaced', async () => {
  for (let i = 0; i < 3 * POOL; i++) await expect(dieIn(database)).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('unresponsive connections are closed after their limit, and replaced', async () => {
  const proxy = await startFaultProxy(server.url);
  const through = await openDatabase({ url: proxy.url, entities: [], migrations: [], poolSize: POOL });
  const bounded = through.within(300);
  const account = bounded.forAccount('acct_1');
  await database.query(
    'DO $$ BEGIN CREATE ROLE finhook_tenant; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$',
  );
  const works = [
    () => bounded.query('SELECT 1 AS one'),
    () => bounded.transaction((tx) => tx.query('SELECT 1 AS one')),
    () => account.query('SELECT 1 AS one'),
    () => account.transaction((tx) => tx.query('SELECT 1 AS one')),
  ];
  for (const work of works) {
    await Promise.all(Array.from({ length: POOL }, work));
    proxy.silenceAll();
    await Promise.all(Array.from({ length: POOL }, () => expect(work()).rejects.toSatisfy(isDatabaseUnavailable)));
    expect(await work()).toEqual([{ one: 1 }]);
  }
  expect(through.usage().waiting).toBe(0);
  await through.close();
  await proxy.close();
});

test('the server stops a statement whose connection was closed', async () => {
  const sleeping =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'";
  const lost = database.within(200).query('SELECT pg_sleep(600)');
  await expect.poll(() => database.query(sleeping)).toHaveLength(1);
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  await expect.poll(() => database.query(sleeping)).toEqual([]);
});

test('a transaction that exceeds its limit fails like a lost connection, and is rolled back', async () => {
  await database.query('CREATE TABLE note (id int PRIMARY KEY)');
  const idling = database.within(50).transaction(async (tx) => {
    await tx.query('INSERT INTO note VALUES (1)');
    await expect.poll(() => database.usage().busy).toBe(0);
    await tx.query('INSERT INTO note VALUES (2)');
  });
  await expect(idling).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await database.query('SELECT * FROM note')).toEqual([]);
});

test('work without a limit may take longer, and work within its limit leaves its connection usable', async () => {
  const pid = () => database.query('SELECT pg_backend_pid() AS pid');
  const before = await pid();
  await database.within(50).query('SELECT 1');
  await database.query('SELECT pg_sleep(0.1)');
  await database.owner.query('SELECT pg_sleep(0.1)');
  expect(await pid()).toEqual(before);
});

test('the server ends an idle transaction, and its connection is replaced', async () => {
  await database.query('CREATE TABLE note (id int PRIMARY KEY)');
  for (let i = 0; i < 3 * POOL; i++) {
    const standing = database.transaction(async (tx) => {
      await tx.query("SET LOCAL idle_in_transaction_session_timeout = '20ms'");
      await tx.query('LOCK TABLE note');
      await expect.poll(() => database.query("SELECT FROM pg_locks WHERE relation = 'note'::regclass")).toEqual([]);
      await tx.query('INSERT INTO note VALUES (1)');
    });
    await expect(standing).rejects.toSatisfy(isDatabaseUnavailable);
  }
  expect(await database.query('SELECT * FROM note')).toEqual([]);
  expect(isDatabaseUnavailable(Object.assign(new Error('idle for too long'), { code: '25P03' }))).toBe(true);
});

test('a process that hangs or vanishes keeps its locks for at most half a minute', async () => {
  const rows = await database.query(
    `SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(keepalives|user)|^idle_in_transaction_session' ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '15000' },
    { name: 'tcp_keepalives_count', setting: '3' },
    { name: 'tcp_keepalives_idle', setting: '10' },
    { name: 'tcp_keepalives_interval', setting: '5' },
    { name: 'tcp_user_timeout', setting: '25000' },
  ]);
});

test('connections to a primary that became a replica are dropped, and new ones go to the new primary', async () => {
  await database.query('CREATE TABLE note (id int PRIMARY KEY)');
  const demoted = () =>
    database.query("SELECT set_config('default_transaction_read_only', 'on', false), pg_sleep(0.05)");
  const writes = [
    () => database.query('INSERT INTO note VALUES (1)'),
    () => database.transaction((tx) => tx.query('INSERT INTO note VALUES (2)')),
  ];
  for (const write of writes) {
    await Promise.all(Array.from({ length: POOL }, demoted));
    for (let i = 0; i < POOL; i++) await expect(write()).rejects.toSatisfy(isDatabaseUnavailable);
    await write();
  }
  expect(await database.query('SELECT id FROM note ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
});

test.for(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])('%s: the database is away', (code) => {
  expect(isDatabaseUnavailable(new Error('The query failed.', { cause: Object.assign(new Error(), { code }) }))).toBe(
    true,
  );
});

test('a broken connection is replaced, and only failures before its COMMIT are known not to be stored', async () => {
  const proxy = await startFaultProxy(server.url);
  const through = await openDatabase({ url: proxy.url, entities: [], migrations: [], poolSize: 1 });
  await database.query('CREATE TABLE note (id int)');
  const cutAt = async (at: number, when: 'before' | 'after'): Promise<void> => {
    proxy.arm(undefined);
    await through.query('SELECT 1');
    proxy.arm({ statement: at, when });
  };
  const inTransaction = () => through.transaction((tx) => tx.query('INSERT INTO note VALUES (1)'));
  for (const when of ['before', 'after'] as const) {
    for (const at of [1, 2, 3]) {
      await cutAt(at, when);
      const lost: unknown = await inTransaction().catch((error: unknown) => error);
      expect([isDatabaseUnavailable(lost), isOutcomeUnknown(lost)], `${when} ${at}`).toEqual([true, at === 3]);
    }
    await cutAt(1, when);
    await expect(through.query('INSERT INTO note VALUES (1)')).rejects.toSatisfy(isOutcomeUnknown);
  }
  await proxy.close();
  await expect(through.query('SELECT 1')).rejects.toSatisfy((error) => !isOutcomeUnknown(error));
  await through.close();
});

test('a failed statement rolls its transaction back and the connection is used again', async () => {
  await database.query('CREATE TABLE note (id int PRIMARY KEY)');
  for (let i = 0; i < 3 * POOL; i++) {
    const failing = database.transaction(async (tx) => {
      await tx.query('INSERT INTO note VALUES (1)');
      await tx.query('INSERT INTO note VALUES (1)');
    });
    await expect(failing).rejects.toThrow('duplicate key');
  }
  expect(await database.query('SELECT * FROM note')).toEqual([]);
});

test('a transaction that continues after a failed statement rejects and stores nothing', async () => {
  await database.query('CREATE TABLE note (id int PRIMARY KEY)');
  const swallowing = database.transaction(async (tx) => {
    await tx.query('INSERT INTO note VALUES (1)');
    await tx.query('INSERT INTO note VALUES (1)').catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await database.query('SELECT * FROM note')).toEqual([]);
});

test('a statement that exceeds its timeout is stopped, and its connection is reused', async () => {
  const hasty = await openDatabase({
    url: server.url,
    entities: [],
    migrations: [],
    poolSize: 1,
    statementTimeoutMs: 50,
  });
  const pid = 'SELECT pg_backend_pid() AS pid';
  const before = await hasty.query(pid);
  await expect(hasty.query('SELECT pg_sleep(20)')).rejects.toSatisfy(isStatementTimeout);
  await expect(hasty.transaction((tx) => tx.query('SELECT pg_sleep(20)'))).rejects.toSatisfy(isStatementTimeout);
  expect(await hasty.query(pid)).toEqual(before);
  await hasty.close();
});

test('labelled statements are prepared once, in and out of transactions', async () => {
  const labelled = systemStatement('count_up', 'SELECT $1::int + 1 AS next');
  await database.transaction(async (tx) => {
    expect(await tx.query(labelled, [1])).toEqual([{ next: 2 }]);
    expect(await tx.query(labelled, [2])).toEqual([{ next: 3 }]);
    const prepared = await tx.query(
      "SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name = 'count_up'",
    );
    expect(prepared).toEqual([{ runs: '2' }]);
  });
  expect(await database.query(labelled, [5])).toEqual([{ next: 6 }]);
});

test('closing ends every connection at once', async () => {
  const other = await openDatabase({ url: server.url, entities: [], migrations: [], poolSize: POOL });
  await Promise.all([1, 2].map(() => other.transaction((tx) => tx.query('SELECT pg_sleep(0.01)'))));
  await other.close();
  const left = () =>
    database.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
  await expect.poll(left, { timeout: 3_000 }).toEqual([]);
});

test('times are read correctly although the database formats them otherwise', async () => {
  await database.query(`ALTER DATABASE ${server.name} SET datestyle = 'German, DMY'`);
  const german = await openDatabase({ url: server.url, entities: [], migrations: [], poolSize: 1 });
  const rows = await german.query("SELECT '2026-01-31T12:00Z'::timestamptz AS at, '2026-01-31'::date::text AS day");
  expect(rows).toEqual([{ at: '2026-01-31 12:00:00+00', day: '2026-01-31' }]);
  await database.query(`ALTER DATABASE ${server.name} RESET datestyle`);
  await german.close();
});

test('transactions of one account that wait for each other leave a connection to other accounts', async () => {
  await database.query(
    'DO $$ BEGIN CREATE ROLE finhook_tenant; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$',
  );
  const shared = await openDatabase({ url: server.url, entities: [], migrations: [], poolSize: 8 });
  const [one, another] = [shared.forAccount('acct_1'), shared.forAccount('acct_2')];
  const lock = 'SELECT pg_advisory_xact_lock(1)';
  const held = await database.transaction(async (tx) => {
    await tx.query(lock);
    const waiting = Array.from({ length: 20 }, () => one.transaction((inside) => inside.query(lock)));
    await expect.poll(() => shared.usage()).toMatchObject({ busy: 7, waiting: 13 });
    expect(await another.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await shared.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    return { waiting };
  });
  expect(await Promise.all(held.waiting)).toHaveLength(20);
  expect(shared.usage()).toMatchObject({ busy: 0, waiting: 0 });
  await shared.close();
});

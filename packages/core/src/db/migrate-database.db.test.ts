// Risk: on a managed PostgreSQL without superusers, the service cannot migrate, or runs without row-level security.
import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createMigratedDatabase } from '../../test/migrated-database.ts';
import { openAccount } from '../modules/accounts/account.ts';
import { openCore } from '../open-core.ts';
import type { Core } from '../verbs/context.ts';
import { openDatabase } from './database.ts';
import { migrations } from './migrations/index.ts';
import { ensurePartitions } from './partitions.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
let admin: pg.Client;
beforeEach(async () => {
  admin = new pg.Client(inject('pgUrl'));
  await admin.connect();
  cleanUp.push(() => admin.end());
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function dropLater(opened: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await opened;
  cleanUp.push(() => database.drop());
  return database;
}
const emptyDatabase = () => dropLater(createTestDatabase(inject('pgUrl')));
const migratedDatabase = () => dropLater(createMigratedDatabase(inject('pgUrl')));

async function coreOn(databaseUrl: string): Promise<Core> {
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize: 2 });
  cleanUp.push(() => core.database.close());
  return core;
}

/** A user with no privilege but to log in, and its own empty database. */
async function ordinaryUser(): Promise<{ user: string; url: string }> {
  const user = `app_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
  cleanUp.push(() => admin.query(`DROP ROLE ${user}`));
  const { name, url } = await emptyDatabase();
  await admin.query(`ALTER DATABASE ${name} OWNER TO ${user}`);
  const own = new URL(url);
  own.username = user;
  own.password = password;
  return { user, url: own.href };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('databases of one server that are migrated at the same moment share the roles', async () => {
  const databases = await Promise.all([emptyDatabase(), emptyDatabase()]);
  const cores = await Promise.all(databases.map(({ url }) => coreOn(url)));
  await Promise.all(cores.map((core) => core.database.migrate()));
  for (const core of cores) expect((await core.database.state()).pendingMigrations).toEqual([]);
  await Promise.all(cores.map((core) => core.database.migrate()));
});

test('before the first migration all of them are pending, and nothing else fails', async () => {
  const core = await coreOn((await emptyDatabase()).url);
  expect((await core.database.state()).pendingMigrations).toEqual(migrations.map(({ name }) => name));
});

test('a read-only database is reported as such, not as one with pending migrations', async () => {
  const { name, url } = await migratedDatabase();
  const settled = { pendingMigrations: [], isReadOnly: false };
  expect(await (await coreOn(url)).database.state()).toEqual(settled);
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await (await coreOn(url)).database.state()).toEqual({ ...settled, isReadOnly: true });
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  expect(await (await coreOn(url)).database.state()).toEqual(settled);
});

test('without the right to create roles, the error has the statements for an administrator, and afterwards all works', async () => {
  const { user, url } = await ordinaryUser();
  const core = await coreOn(url);
  const rejection = String(await core.database.migrate().catch((error: unknown) => error));
  const [, reported = ''] = /run once: (.*;)/.exec(rejection) ?? [];
  expect(reported).toContain(`GRANT finhook_tenant, finhook_system TO ${user};`);
  // All statements of the message, although another database of the server may have created the roles.
  await admin.query(reported);

  await core.database.migrate();
  const mine = await openAccount(core, { name: 'Mine', mode: 'test', companyName: 'Mine Inc' });
  await openAccount(core, { name: 'Theirs', mode: 'test', companyName: 'Theirs Inc' });
  expect(await core.database.query('SELECT name FROM company')).toHaveLength(2);
  expect(await core.database.forAccount(mine.accountId).query('SELECT id FROM company')).toEqual([
    { id: mine.companyId },
  ]);
  await expect(core.database.query('DELETE FROM audit_log')).rejects.toThrow('permission denied');

  await ensurePartitions(core.database.owner, new Date(), 4);
  await expect(ensurePartitions(core.database, new Date(), 5)).rejects.toThrow(/must be owner|permission denied/);
});

test('a schema that is named like the user of the database takes none of the tables', async () => {
  const { url } = await emptyDatabase();
  await run(url, `CREATE SCHEMA "${new URL(url).username}"`);
  const core = await coreOn(url);
  await core.database.migrate();
  expect((await core.database.state()).pendingMigrations).toEqual([]);
  const mine = await openAccount(core, { name: 'Mine', mode: 'test', companyName: 'Mine Inc' });
  expect(await core.database.forAccount(mine.accountId).query('SELECT id FROM company')).toEqual([
    { id: mine.companyId },
  ]);
  // Like every later start.
  await core.database.migrate();
});

test('on a server that revoked the schema public, the roles get it', async () => {
  const { url } = await emptyDatabase();
  await run(url, 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
  const core = await coreOn(url);
  await core.database.migrate();
  await openAccount(core, { name: 'Mine', mode: 'test', companyName: 'Mine Inc' });

  const { user, url: own } = await ordinaryUser();
  const database = new URL(own);
  await admin.query(`ALTER DATABASE ${database.pathname.slice(1)} OWNER TO CURRENT_USER`);
  database.username = new URL(url).username;
  database.password = new URL(url).password;
  const roles = 'finhook_tenant, finhook_system';
  await admin.query(`GRANT ${roles} TO ${user}`);
  await run(database.href, `REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT CREATE, USAGE ON SCHEMA public TO ${user}`);
  const needs = `An administrator must run once: GRANT USAGE ON SCHEMA public TO ${roles};`;
  await expect((await coreOn(own)).database.migrate()).rejects.toThrow(needs);
  await run(database.href, `GRANT USAGE ON SCHEMA public TO ${roles}`);
  const later = await coreOn(own);
  await later.database.migrate();
  expect((await later.database.state()).pendingMigrations).toEqual([]);
});

class Next extends Migration {
  override up(): void {
    this.addSql('SELECT 1');
  }
}

test('a process that finds another one migrating reports that it waits, and continues afterwards', async () => {
  const { url } = await migratedDatabase();
  const other = new pg.Client(url);
  await other.connect();
  await other.query("SELECT pg_advisory_lock(hashtext('finhook migrations'))");
  const list = [...migrations, { name: '9999-next', class: Next }];
  const database = await openDatabase({ url, entities: [], migrations: list, poolSize: 1 });
  cleanUp.push(() => database.close());
  const waits = Promise.withResolvers<void>();
  const migrated = database.migrate(waits.resolve);
  await waits.promise;
  expect((await database.state()).pendingMigrations).toEqual(['9999-next']);
  await other.end();
  await migrated;
  expect((await database.state()).pendingMigrations).toEqual([]);
});

test('migrations stop when their lock is lost, because another process may migrate', async () => {
  const { url } = await migratedDatabase();
  class LosesLock extends Migration {
    override up(): void {
      this.addSql(`SELECT pg_terminate_backend(pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()`);
    }
  }
  const list = [...migrations, { name: '9998-loses-lock', class: LosesLock }, { name: '9999-next', class: Next }];
  const database = await openDatabase({ url, entities: [], migrations: list, poolSize: 1 });
  cleanUp.push(() => database.close());
  await expect(database.migrate()).rejects.toThrow('the lock of the migrations is lost before 9999-next');
  expect((await database.state()).pendingMigrations).toEqual(['9999-next']);
  await database.migrate();
  expect((await database.state()).pendingMigrations).toEqual([]);
});

test('a migration that waits for a table lets others use it meanwhile, and runs when it is free', async () => {
  const { url } = await migratedDatabase();
  class AddsColumn extends Migration {
    override up(): void {
      this.addSql('ALTER TABLE attempt ADD COLUMN later text');
    }
  }
  const list = [...migrations, { name: '9999-adds-column', class: AddsColumn }];
  const database = await openDatabase({ url, entities: [], migrations: list, poolSize: 1 });
  cleanUp.push(() => database.close());
  const [backup, other] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([backup.connect(), other.connect()]);
  cleanUp.push(() => Promise.all([backup.end(), other.end()]));
  await backup.query('BEGIN; LOCK TABLE attempt IN ACCESS SHARE MODE');
  const migrated = database.migrate();
  const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'attempt'::regclass`;
  await expect.poll(async () => (await other.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1);
  await other.query(`SET statement_timeout = '20s'`);
  await other.query('SELECT n FROM attempt LIMIT 1');
  expect((await database.state()).pendingMigrations).toEqual(['9999-adds-column']);
  await backup.query('COMMIT');
  await migrated;
  expect((await database.state()).pendingMigrations).toEqual([]);
});

/** A core on the database, with only these rows in its table of migrations. */
async function recordedAs({ url }: TestDatabase, ...names: string[]): Promise<Core> {
  const core = await coreOn(url);
  const { owner } = core.database;
  await owner.query('DELETE FROM mikro_orm_migrations');
  for (const name of names) await owner.query('INSERT INTO mikro_orm_migrations (name) VALUES ($1)', [name]);
  return core;
}

const recorded = async ({ database }: Core) => {
  const rows = await database.owner.query<{ name: string }>('SELECT name FROM mikro_orm_migrations ORDER BY id');
  return rows.map(({ name }) => name);
};

test('a database at the last migration before the baseline is kept', async () => {
  const opened = await emptyDatabase();
  // The schema of version 0.2.0.
  const old = await openDatabase({ url: opened.url, entities: [], migrations: migrations.slice(0, 1), poolSize: 1 });
  await old.migrate();
  await old.close();
  const core = await recordedAs(opened, '0039-quotas-in-use', '0040-approval-requesters');
  const names = migrations.map(({ name }) => name);
  expect((await core.database.state()).pendingMigrations).toEqual(names);
  for (let start = 0; start < 2; start += 1) {
    await core.database.migrate();
    expect(await recorded(core)).toEqual(['0039-quotas-in-use', '0040-approval-requesters', ...names]);
  }
  const { accountId } = await openAccount(core, { name: 'One', mode: 'test', companyName: 'One Inc' });
  expect((await core.database.state()).pendingMigrations).toEqual([]);
  expect(await core.database.query('SELECT id FROM account')).toEqual([{ id: accountId }]);
});

test('a database at an earlier migration is left unchanged, and the error names the version to run first', async () => {
  const core = await recordedAs(await migratedDatabase(), '0001-initial-schema', '0031-reseal-audit');
  await expect(core.database.migrate()).rejects.toThrow(
    /stands at migration 0031-reseal-audit, .* Run finhook 0\.2\.0 on it first .* up to 0040-approval-requesters\./,
  );
  expect(await recorded(core)).toEqual(['0001-initial-schema', '0031-reseal-audit']);
});

// Risk: a process of an earlier version calls a function that was replaced or dropped, or none is ever dropped.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase } from '@finhook/testing';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { processReport } from '../../test/process-report.ts';
import { openRawClient } from '../../test/raw-client.ts';
import { announceProcess } from '../modules/processes/service-processes.ts';
import { type Database, openDatabase } from './database.ts';
import { migrations } from './migrations/index.ts';
import { dropUnusedFunctions, type StoredFunction, storedFunction } from './stored-functions.ts';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fixture = useFixture();

/** The version of the function `tell_version` that returns this text. */
function version(text: string): StoredFunction {
  const file = join(folder, 'tell-version.sql');
  writeFileSync(
    file,
    `CREATE TYPE tell_version AS (told text);
     CREATE FUNCTION tell_version() RETURNS tell_version LANGUAGE sql AS $$ SELECT ROW({{text}})::tell_version $$;`,
  );
  return storedFunction(pathToFileURL(file), { text: `'${text}'` });
}

async function open(url: string, ...functions: StoredFunction[]): Promise<Database> {
  const database = await openDatabase({ url, entities: [], migrations, functions, poolSize: 1 });
  onTestFinished(() => database.close());
  return database;
}

const call = async (database: Database, { name }: StoredFunction) =>
  (await database.query<{ told: string }>(`SELECT told FROM ${name}()`))[0]?.told;

test('two versions of a function are called side by side, and stay while processes start', async () => {
  const { url } = fixture.database;
  const [old, next] = [version('old'), version('next')];
  const before = await open(url, old);
  await before.migrate();
  const after = await open(url, next);
  await after.migrate();
  await before.migrate();
  await before.requireMigrated();
  expect([await call(before, old), await call(after, next), await call(before, next)]).toEqual(['old', 'next', 'next']);
});

test('a process that calls a function which does not exist fails to start, until an api of its version has created it', async () => {
  const { url } = fixture.database;
  const missing = version('missing');
  const database = await open(url, missing);
  await expect(database.requireMigrated()).rejects.toThrow(
    `The database has no function ${missing.name}, which this version calls. Start the api of this release first`,
  );
  await database.migrate();
  await database.requireMigrated();
  // One that an administrator dropped is created again.
  await database.owner.query(`DROP FUNCTION ${missing.name}`);
  await expect(database.requireMigrated()).rejects.toThrow(missing.name);
  await database.migrate();
  expect(await call(database, missing)).toBe('missing');
});

test('a function is dropped an hour after the last process that calls it has gone', async () => {
  const { core } = fixture;
  const { owner } = core.database;
  const old = version('dropped');
  const database = await open(fixture.database.url, old);
  await database.migrate();
  const age = (minutes: number) =>
    owner.query(`UPDATE stored_function SET seen_at = seen_at - interval '${minutes} minutes'`);
  const drop = () => owner.transaction((tx) => dropUnusedFunctions(tx, []));
  await announceProcess({ ...core, database }, { ...processReport, id: 'proc_old' });
  await announceProcess(core, { ...processReport, id: 'proc_new' });
  await age(61);
  // Those of other tests, which no process has announced.
  expect(await drop()).not.toContain(old.name);
  await owner.query("DELETE FROM service_process WHERE id = 'proc_old'");
  await age(59);
  expect(await drop()).toEqual([]);
  await age(2);
  await owner.query(`INSERT INTO stored_function VALUES ('Odd "name"', '-infinity');
    CREATE FUNCTION "Odd ""name""" () RETURNS int LANGUAGE sql AS 'SELECT 1'`);
  expect((await drop()).toSorted()).toEqual(['Odd "name"', old.name]);
  expect(await owner.query('SELECT to_regproc($1) AS found', [old.name])).toEqual([{ found: null }]);
  expect(await owner.query('SELECT FROM pg_type WHERE typname = $1', [old.name])).toEqual([]);
  await core.database.requireMigrated();
});

test('a process that starts keeps its function, although none that calls it was running', async () => {
  const { owner } = fixture.core.database;
  const old = version('kept');
  const database = await open(fixture.database.url, old);
  await database.migrate();
  await owner.query("UPDATE stored_function SET seen_at = seen_at - interval '2 hours'");
  await database.requireMigrated();
  expect(await owner.transaction((tx) => dropUnusedFunctions(tx, []))).not.toContain(old.name);
  expect(await call(database, old)).toBe('kept');
});

test('maintenance keeps the functions of its own process, although none is announced', async () => {
  const { owner } = fixture.core.database;
  const [own, other] = [version('own'), version('other')];
  const database = await open(fixture.database.url, own);
  await database.migrate();
  await (await open(fixture.database.url, other)).migrate();
  await owner.query("UPDATE stored_function SET seen_at = seen_at - interval '25 hours'");
  const dropped = await owner.transaction((tx) => dropUnusedFunctions(tx, database.functionNames));
  expect(dropped).toContain(other.name);
  expect(dropped).not.toContain(own.name);
  expect(await call(database, own)).toBe('own');
});

test('accounts can call a function where functions are not public', async () => {
  const created = await createTestDatabase(inject('pgUrl'));
  onTestFinished(() => created.drop());
  const shown = version('granted');
  const raw = await openRawClient(created.url);
  onTestFinished(() => raw.end());
  await raw.query('ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC');
  const database = await open(created.url, shown);
  await database.migrate();
  expect(await call(database.forAccount('acc_1'), shown)).toBe('granted');
});

test('a file that names a part which nobody gives is an error', () => {
  const file = join(folder, 'tell-version.sql');
  writeFileSync(file, 'SELECT {{other}}');
  expect(() => storedFunction(pathToFileURL(file))).toThrow('tell-version.sql needs the part other.');
});

// Risk: a database with a full disk is reported as writable, or as full after space is free again.
import { expect, test } from 'vitest';
import { type CoreFixture, useFixture } from '../../test/core-fixture.ts';
import type { Session } from './database.ts';
import { createWriteCheck } from './write-check.ts';

const fixture = useFixture();

const isFull = 'the disk of the database is full';

/** Simulates a table file that cannot grow. */
const fillDisk = (core: CoreFixture['core']) =>
  core.database.owner.query(`
    CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_space BEFORE INSERT ON service_process EXECUTE FUNCTION no_space()`);

const write = (session: Session, id: string) =>
  session.query(
    `INSERT INTO service_process (id, role, host, pid, version, started_at, seen_at, in_flight, connections_busy,
       connections_idle, connections_waiting) VALUES ($1, 'api', 'h', 1, '1', now(), now(), 0, 0, 0, 0)`,
    [id],
  );

/** Prevents the user's sessions from allocating disk space. */
const withoutTemporaryFiles = (): Pick<Session, 'transaction'> => ({
  transaction: (work) =>
    fixture.core.database.owner.transaction(async (tx) => {
      await tx.query('SET LOCAL temp_file_limit = 0');
      return work(tx);
    }),
});

test('any write that failed for lack of disk space is noticed', async () => {
  const { database } = fixture.core;
  await database.tryWrite();
  await fillDisk(fixture.core);
  await expect(write(database, 'proc_1')).rejects.toThrow('No space left');
  await expect(database.tryWrite()).rejects.toThrow(isFull);
  await expect(database.within(60_000).tryWrite()).rejects.toThrow(isFull);
  await database.owner.query('DROP TRIGGER no_space ON service_process');
});

test('after a failed write the check succeeds again once disk space can be allocated', async () => {
  let now = 0;
  const check = createWriteCheck(() => now);
  const { owner } = fixture.core.database;
  await check.run(owner);
  check.note(Object.assign(new Error('No space left on device'), { code: '53100' }));
  now = 4_999;
  await expect(check.run(owner)).rejects.toThrow(isFull);
  now = 5_000;
  await expect(check.run(withoutTemporaryFiles())).rejects.toThrow('temporary file size exceeds');
  await check.run(owner);
});

test('other failures do not count as a full disk, and the check allocates no disk space then', async () => {
  const check = createWriteCheck();
  check.note(Object.assign(new Error('duplicate key'), { code: '23505' }));
  await check.run(withoutTemporaryFiles());
  await expect(check.run(withoutTemporaryFiles(), true)).rejects.toThrow('temporary file size exceeds');
});

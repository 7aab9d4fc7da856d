// Risk: an update builds an index of all events while they wait, although an operator built it before.
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openRawClient } from '../../../test/raw-client.ts';
import { openDatabase } from '../database.ts';
import { systemRole } from '../row-security.ts';
import { migrations } from './index.ts';

let server: TestDatabase;
let raw: pg.Client;
const migrate = async (count: number) => {
  const url = server.url;
  const database = await openDatabase({
    url,
    entities: [],
    migrations: migrations.slice(0, count),
    poolSize: 1,
    role: systemRole,
  });
  await database.migrate();
  await database.close();
};
beforeAll(async () => {
  server = await createTestDatabase(inject('pgUrl'));
  raw = await openRawClient(server.url);
}, 60_000);
afterAll(async () => {
  await raw.end();
  await server.drop();
});

const partIndexes = async () =>
  (
    await raw.query<{ index: string; whole: string | null }>(
      `SELECT x.indexrelid::regclass::text AS index, i.inhparent::regclass::text AS whole
       FROM pg_index x JOIN pg_inherits p ON p.inhrelid = x.indrelid AND p.inhparent = 'event'::regclass
       LEFT JOIN pg_inherits i ON i.inhrelid = x.indexrelid
       WHERE pg_get_indexdef(x.indexrelid) LIKE '%bank.transaction.updated%' ORDER BY 1`,
    )
  ).rows;

test('indexes of events built before the update are reused, so that events do not wait for a build', async () => {
  const own = migrations.findIndex(({ name }) => name === '0069-rows-put-right');
  await migrate(own);
  const { rows } = await raw.query<{ sql: string }>(
    `SELECT format($$CREATE INDEX CONCURRENTLY ON %s (company_id, position)
       WHERE type IN ('bank.transaction.posted', 'bank.transaction.updated') AND NOT test$$, inhrelid::regclass) AS sql
     FROM pg_inherits WHERE inhparent = 'event'::regclass`,
  );
  for (const { sql } of rows) await raw.query(sql);
  const built = await partIndexes();
  expect(rows.length).toBeGreaterThan(0);
  expect(built.length).toBe(rows.length);
  await migrate(own + 1);
  expect(await partIndexes()).toEqual(built.map(({ index }) => ({ index, whole: 'event_ingest' })));
});

// Risk: after the migration an account sees attempts of another, or misses its own.

import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { systemRole } from '../row-security.ts';
import { migrations } from './index.ts';

let server: TestDatabase;
let database: Database;

const open = (count?: number) =>
  openDatabase({
    url: server.url,
    entities: [],
    migrations: migrations.slice(0, count),
    poolSize: 1,
    role: systemRole,
  });

beforeAll(async () => {
  server = await createTestDatabase(inject('pgUrl'));
  const before = await open(2);
  await before.migrate();
  // As version 0.2.0 secured it.
  await before.owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON attempt TO finhook_tenant;
    CREATE POLICY account_rows ON attempt TO finhook_tenant
      USING (EXISTS (SELECT FROM delivery WHERE delivery.id = attempt.delivery_id))`);
  await before.owner.query(
    `INSERT INTO delivery (id, account_id, event_id, event_type, endpoint_id, created_at, updated_at)
     SELECT id, 'acct_' || right(id, 1), 'evt_1', 'company.created', 'we_1', now(), now()
     FROM unnest('{dlv_0000000001a,dlv_0000000001b}'::text[]) AS id`,
  );
  await before.owner.query(
    `INSERT INTO attempt (delivery_id, n, trigger, at, duration_ms)
     SELECT id, n, 'automatic', now(), 1
     FROM unnest('{dlv_0000000001a,dlv_0000000001b,dlv_0000000001c}'::text[]) AS id, generate_series(1, 2) AS n`,
  );
  await before.close();
  database = await open();
  await database.migrate();
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const read = (db: Pick<Database, 'query'>) => db.query('SELECT delivery_id, n, account_id FROM attempt ORDER BY 1, 2');
const attemptsOf = (end: string) =>
  [1, 2].map((n) => ({ delivery_id: `dlv_0000000001${end}`, n, account_id: `acct_${end}` }));

test('attempts have the account of their delivery; one without a delivery is gone', async () => {
  expect(await read(database)).toEqual([...attemptsOf('a'), ...attemptsOf('b')]);
});

test('S2: an account sees its own attempts only, by the usual rule', async () => {
  expect(await read(database.forAccount('acct_a'))).toEqual(attemptsOf('a'));
  const rules = await database.query<{ table: string; rule: string }>(
    `SELECT tablename AS table, qual AS rule FROM pg_policies
     WHERE policyname = 'account_rows' AND tablename IN ('attempt', 'delivery') ORDER BY 1`,
  );
  expect(rules.map(({ table }) => table)).toEqual(['attempt', 'delivery']);
  expect(rules[0]?.rule).toBe(rules[1]?.rule);
});

// Risk: a database of version 0.2.0 ends up with another schema than a new one, or its rows no longer work.

import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claimAll } from '../../../test/attempt-of.ts';
import { createMigratedDatabase } from '../../../test/migrated-database.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { createSecrets } from '../../access/secrets.ts';
import { createApiKey } from '../../modules/accounts/api-keys/create.ts';
import { generateKey, hashKey } from '../../modules/accounts/api-keys/key-format.ts';
import { createAuthenticator } from '../../modules/accounts/authenticate.ts';
import { callerContext } from '../../modules/accounts/known-key.ts';
import { upsertCashBalance } from '../../modules/cash/balances/upsert.ts';
import { listEvents } from '../../modules/events/read.ts';
import { getSettings } from '../../modules/financials/figures/settings.ts';
import { upsertSnapshot } from '../../modules/financials/statements/upsert.ts';
import { approveDeviceLogin, beginDeviceLogin, pollDeviceLogin } from '../../modules/sessions/device-login.ts';
import { openCore } from '../../open-core.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { openDatabase } from '../database.ts';
import { systemRole } from '../row-security.ts';
import { migrations } from './index.ts';

const secretsKey = Buffer.alloc(32, 7).toString('base64');
const key = generateKey('test');
const request = { id: 'req_1', ip: '127.0.0.1' };

let server: TestDatabase;
let raw: pg.Client;
let core: Core;

/** A row in each table that a later migration changes or that a later feature reads, as version 0.2.0 wrote it. */
async function storeAsBefore(): Promise<void> {
  const [pepper = Buffer.of()] = createSecrets(secretsKey).peppers;
  await raw.query(`
    INSERT INTO account (id, name, mode, created_at, updated_at) VALUES ('acct_a', 'A', 'test', now(), now());
    INSERT INTO company (id, account_id, name, country, base_currency, timezone, status, wire_approval_threshold_cents,
      metadata, created_at, updated_at)
    VALUES ('co_a', 'acct_a', 'A Inc', 'US', 'USD', 'UTC', 'active', 0, '{}', now(), now());
    INSERT INTO cash_balance (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, version,
      created_at, updated_at)
    VALUES ('bal_a', 'acct_a', 'co_a', 'operating', '2026-01-01', 100, 'USD', 'bank', 1, now(), now());
    INSERT INTO financial_snapshot (id, account_id, company_id, statement_type, period_start, period_end, currency, totals,
      line_items, source, revision, created_at, updated_at)
    VALUES ('fin_a', 'acct_a', 'co_a', 'balance', '2026-01-01', '2026-01-31', 'USD', '{"cash":1}', '[]', 'books', 1, now(),
      now());
    INSERT INTO webhook_endpoint (id, account_id, url, events, status, created_at, updated_at)
    VALUES ('we_a', 'acct_a', 'http://127.0.0.1:9/h', '{bank.balance.updated}', 'active', now(), now());
    INSERT INTO event (id, account_id, type, created_at, body)
    VALUES ('evt_0000000001a', 'acct_a', 'company.created', now(), '{"id":"evt_0000000001a","type":"company.created"}');
    INSERT INTO delivery (id, account_id, event_id, event_type, endpoint_id, created_at, updated_at)
    VALUES ('dlv_0000000001a', 'acct_a', 'evt_0000000001a', 'company.created', 'we_a', now(), now()),
      ('dlv_0000000001b', 'acct_b', 'evt_0000000001b', 'company.created', 'we_b', now(), now());
    INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, due_at, next_attempt_at)
    VALUES ('dlv_0000000001a', 'acct_a', 'evt_0000000001a', 'we_a', now(), now());
    INSERT INTO attempt (delivery_id, n, trigger, at, duration_ms)
    SELECT id, 1, 'automatic', now(), 1 FROM unnest('{dlv_0000000001a,dlv_0000000001b,dlv_without}'::text[]) AS id;
    INSERT INTO audit_log (id, account_id, actor, action, resource_id, request_id, created_at)
    VALUES ('aud_0000000001a', 'acct_a', '{"type":"system","id":"x"}', 'accounts.open', 'acct_a', 'x', now());
    INSERT INTO company (id, account_id, name, country, base_currency, timezone, status, wire_approval_threshold_cents,
      metadata, created_at, updated_at)
    SELECT 'co_' || name, 'acct_a', name, 'US', 'USD', 'UTC', 'active', 0, '{}', now(), now()
    FROM unnest('{chose,never}'::text[]) AS name;
    INSERT INTO surface_settings (company_id, account_id, excluded_connections, exclude_suspected_transfers, created_at, updated_at)
    VALUES ('co_chose', 'acct_a', '{escrow}', false, now(), now()), ('co_never', 'acct_a', '{escrow}', false, now(), now());
    INSERT INTO audit_log (id, account_id, actor, action, resource_id, request_id, before, after, created_at)
    VALUES ('aud_0000000001b', 'acct_a', '{"type":"system","id":"x"}', 'financials.settings.update', 'co_chose', 'x',
        '{"exclude_suspected_transfers":true}', '{"exclude_suspected_transfers":false}', now()),
      ('aud_0000000001c', 'acct_a', '{"type":"system","id":"x"}', 'financials.settings.update', 'co_never', 'x',
        '{"excluded_connections":[]}', '{"excluded_connections":["escrow"]}', now());
    GRANT SELECT, INSERT, UPDATE, DELETE ON attempt TO finhook_tenant;
    CREATE POLICY account_rows ON attempt TO finhook_tenant
      USING (EXISTS (SELECT FROM delivery WHERE delivery.id = attempt.delivery_id));`);
  await raw.query(
    `INSERT INTO api_key (id, account_id, name, scope, hash, prefix, last4, created_by, created_at, updated_at)
     VALUES ('key_a', 'acct_a', 'First key', 'human', $1, 'sk_test_abcd', 'abcd', '{"type":"system","id":"x"}', now(), now())`,
    [hashKey(key, pepper)],
  );
}

beforeAll(async () => {
  server = await createTestDatabase(inject('pgUrl'));
  const options = { url: server.url, entities: [], migrations: migrations.slice(0, 1), poolSize: 1, role: systemRole };
  const before = await openDatabase(options);
  await before.migrate();
  raw = await openRawClient(server.url);
  await storeAsBefore();
  await before.owner.query("UPDATE mikro_orm_migrations SET name = '0040-approval-requesters'");
  await before.close();
  core = await openCore({ databaseUrl: server.url, secretsKey, allowInsecureWebhooks: true, poolSize: 2 });
  await core.database.migrate();
});
afterAll(async () => {
  await raw.end();
  await core.database.close();
  await server.drop();
});

const schemaParts = {
  columns: `SELECT attrelid::regclass::text AS "of", attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull,
      pg_get_expr(d.adbin, d.adrelid) AS preset
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE attrelid IN (SELECT oid FROM tables) AND attnum > 0 AND NOT attisdropped ORDER BY 1, 2`,
  constraints: `SELECT conrelid::regclass::text AS "of", pg_get_constraintdef(oid) AS rule FROM pg_constraint
    WHERE conrelid IN (SELECT oid FROM tables) ORDER BY 1, 2`,
  indexes: `SELECT pg_get_indexdef(indexrelid) AS rule FROM pg_index WHERE indrelid IN (SELECT oid FROM tables) ORDER BY 1`,
  security: `SELECT t.relname AS "of", t.relrowsecurity, p.polname, pg_get_expr(p.polqual, p.polrelid) AS rule,
      has_table_privilege('finhook_tenant', t.oid, 'SELECT') AS tenant, has_table_privilege('finhook_tenant', t.oid, 'UPDATE')
      AS changes, has_table_privilege('finhook_system', t.oid, 'DELETE') AS deletes
    FROM tables t LEFT JOIN pg_policy p ON p.polrelid = t.oid ORDER BY 1, 3`,
};
const tables = `WITH tables AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace
  AND relkind IN ('r', 'p') AND NOT relispartition)`;

test('the schema, its indexes and its row-level security are those of a new database', async () => {
  const fresh = await createMigratedDatabase(inject('pgUrl'));
  const other = await openRawClient(fresh.url);
  for (const [part, sql] of Object.entries(schemaParts)) {
    const expected = await other.query(`${tables} ${sql}`);
    expect(expected.rowCount, part).toBeGreaterThan(30);
    expect((await raw.query(`${tables} ${sql}`)).rows, part).toEqual(expected.rows);
  }
  await other.end();
  await fresh.drop();
});

test('pairs are left out of burn unless a user chose to count them', async () => {
  const context = await signedIn();
  const choices = ['co_chose', 'co_never'].map((company_id) => getSettings(context, { company_id }));
  expect((await Promise.all(choices)).map((one) => one.exclude_suspected_transfers)).toEqual([false, true]);
});

async function signedIn(secret = key): Promise<Context> {
  const principal = await createAuthenticator(core).authenticate(secret, request.ip);
  return callerContext(core, principal, { request });
}

test('an old key works, and its rows are found, changed and delivered', async () => {
  const context = await signedIn();
  const at = {
    company_id: 'co_a',
    as_of: '2026-01-01',
    balance_cents: 200,
    currency: 'USD',
    connection_id: 'operating',
  };
  expect(await upsertCashBalance(context, at)).toMatchObject({ id: 'bal_a', result: 'updated' });
  const statement = {
    company_id: 'co_a',
    statement_type: 'balance',
    period_end: '2026-01-31',
    currency: 'USD',
  } as const;
  expect(await upsertSnapshot(context, { ...statement, totals: { cash: 2 } })).toMatchObject({
    id: 'fin_a',
    revision: 2,
  });
  const events = (await listEvents(context, { limit: 10, order: 'asc' })).data.map(({ type }) => type);
  expect(events.slice(0, 2)).toEqual(['company.created', 'bank.balance.updated']);
  const claims = await claimAll(core, 'we_a');
  expect(claims.map(({ deliveryId }) => deliveryId)).toContain('dlv_0000000001a');
  expect(await context.database.query('SELECT n, account_id FROM attempt')).toEqual([{ n: 1, account_id: 'acct_a' }]);
});

test('attempts get the account of their delivery, and those without a delivery are deleted', async () => {
  const { rows } = await raw.query('SELECT delivery_id, account_id FROM attempt ORDER BY 1');
  expect(rows).toEqual([
    { delivery_id: 'dlv_0000000001a', account_id: 'acct_a' },
    { delivery_id: 'dlv_0000000001b', account_id: 'acct_b' },
  ]);
});

test('an old connection belongs to the account: a provider cannot post to it', async () => {
  const provider = await createApiKey(await signedIn(), { name: 'Provider', scope: 'ingest' });
  const context = await signedIn(provider.key);
  const balance = { company_id: 'co_a', as_of: '2026-02-01', balance_cents: 1, currency: 'USD' };
  await expect(upsertCashBalance(context, { ...balance, connection_id: 'operating' })).rejects.toThrow(/connection/);
  expect(await upsertCashBalance(context, { ...balance, connection_id: 'new' })).toMatchObject({ result: 'created' });
});

test('an old key allows a login', async () => {
  const { device_code, user_code } = await beginDeviceLogin(core, { client_name: 'finhook on x', ip: request.ip });
  await approveDeviceLogin(core, await signedIn(), user_code, { name: 'finhook on x', scope: 'read' });
  const created = await pollDeviceLogin(core, device_code, request);
  expect(await signedIn(created.key)).toMatchObject({ keyId: created.id, scope: 'read', personId: 'key_a' });
});

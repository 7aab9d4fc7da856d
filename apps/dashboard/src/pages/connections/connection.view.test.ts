// Risk: a connection that can't sync offers to, or a bank error is shown without a way to fix it.
import { expect, test } from 'vitest';
import { adviceFor, type Connection, describeStats, whyNoSync } from './connection.view.ts';

const at = '2026-03-01T10:00:00.000Z';
const connection: Connection = {
  id: 'conn_1',
  object: 'bank_connection',
  account_id: 'acct_1',
  company_id: 'co_1',
  provider: 'sandbox',
  institution_name: 'Example Bank',
  account_name: 'Operating',
  account_last4: '4321',
  currency: 'USD',
  external_ref: null,
  config: null,
  replaces: null,
  status: 'active',
  has_secret: true,
  secret_last4: null,
  secret_configured_at: at,
  last_synced_at: null,
  last_sync_status: null,
  error: null,
  freshness: { balance: null, transactions: null, statements: null },
  backfill_status: 'none',
  history_from: null,
  connected_at: at,
  disconnected_at: null,
  disconnected_by: null,
  created_at: at,
  updated_at: at,
};

test('only a connected connection of a synced provider with a token can sync', () => {
  expect(whyNoSync(connection)).toBeUndefined();
  expect(whyNoSync({ ...connection, status: 'error' })).toBeUndefined();
  expect(whyNoSync({ ...connection, has_secret: false })).toMatch(/token/);
  expect(whyNoSync({ ...connection, provider: 'plaid' })).toMatch(/posts its own/);
  expect(whyNoSync({ ...connection, status: 'disconnected', has_secret: false })).toMatch(/disconnected/);
});

test('an error has advice, and so has an unknown one', () => {
  expect(adviceFor({ code: 'provider_unauthorized' })).toMatch(/new one/);
  expect(adviceFor({ code: 'something_new' })).toMatch(/Sync again/);
  expect(adviceFor({ code: 'constructor' })).toMatch(/Sync again/);
});

test('the rows of a run are counted in words', () => {
  const stats = {
    balances_upserted: 1,
    transactions_received: 1_207,
    transactions_inserted: 1_200,
    transactions_skipped: 7,
    snapshots_upserted: 0,
  };
  expect(describeStats({ stats })).toBe('1 balance, 1,200 new transactions, 7 duplicates');
});

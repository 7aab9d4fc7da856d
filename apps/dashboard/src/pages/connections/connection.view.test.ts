// Risk: a connection that can't sync offers to, or a bank error is shown without a way to fix it.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { adviceFor, type Connection, describeStats, whyNoSync } from './connection.view.ts';

const connection = partial<Connection>({ provider: 'sandbox', status: 'active', has_secret: true });

test('only a connected connection of a synced provider with a token can sync', () => {
  expect(whyNoSync(connection)).toBeUndefined();
  expect(whyNoSync({ ...connection, status: 'error' })).toBeUndefined();
  expect(whyNoSync({ ...connection, has_secret: false })).toMatch(/token/);
  expect(whyNoSync({ ...connection, provider: 'plaid' })).toMatch(/sends its own/);
  expect(whyNoSync({ ...connection, status: 'disconnected', has_secret: false })).toMatch(/disconnected/);
});

test('every error has advice, even an unknown one', () => {
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

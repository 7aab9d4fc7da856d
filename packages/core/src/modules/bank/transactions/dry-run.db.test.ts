// Risk: a dry run stores something, or returns another result than the request itself.
import type { BankTransactionInput } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { upsertSnapshot } from '../../financials/statements/upsert.ts';
import { createConnection } from '../connections/create.ts';
import { disconnectConnection } from '../connections/disconnect.ts';
import { ingestTransactions } from './ingest.ts';
import { updateTransaction } from './update.ts';

const fixture = useFixture();
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Trial Inc', base_currency: 'USD' })).id;
});

const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
const row = (external_id: string, more: Partial<BankTransactionInput> = {}): BankTransactionInput => ({
  external_id,
  posted_at: daysAgo(10),
  amount_cents: -12_345,
  connection_id: 'item_A',
  ...more,
});
/** A year of weekly rent and monthly income, with ids of its own. */
const year = (connection_id: string) =>
  Array.from({ length: 60 }, (_, i) =>
    row(`${connection_id}-${i}`, {
      connection_id,
      posted_at: daysAgo(360 - i * 6),
      amount_cents: i % 5 === 0 ? 500_000 : -20_000 - i,
      description: `Payment ${i}`,
    }),
  );
const post = (transactions: BankTransactionInput[]) =>
  ingestTransactions(context, { company_id: company, transactions });
const tryRows = (transactions: BankTransactionInput[]) =>
  ingestTransactions(context, { company_id: company, transactions, dry_run: true });
const codes = ({ warnings }: { warnings: readonly { code: string }[] }) => warnings.map(({ code }) => code);

test('a dry run of each ingest returns the result of the request and changes no table', async () => {
  const connection = await createConnection(context, { company_id: company, provider: 'bank' });
  await post([row('known', { description: 'Rent' })]);
  const client = await openRawClient(fixture.database.url);
  const before = await readTables(client);
  const rows = [
    row('known', { description: 'Other' }),
    row('new', { amount_cents: 700, currency: 'EUR', connection_id: connection.id }),
    row('cost'),
    row('late', { posted_at: '1950-01-01T00:00:00Z' }),
  ];
  const trial = await tryRows(rows);
  expect(trial).toMatchObject({ dry_run: true, received: 4, inserted: 2, skipped: 1, failed: 1 });
  expect(trial.totals).toEqual([
    { currency: 'EUR', in_cents: 700, out_cents: 0 },
    { currency: 'USD', in_cents: 0, out_cents: 12_345 },
  ]);
  const balance = { company_id: company, as_of: '2026-03-01', balance_cents: 5, currency: 'USD' } as const;
  expect(await upsertCashBalance(context, { ...balance, connection_id: connection.id, dry_run: true })).toMatchObject({
    result: 'created',
    dry_run: true,
  });
  const statement = {
    company_id: company,
    statement_type: 'income',
    period_start: '2026-02-01',
    period_end: '2026-02-28',
    currency: 'USD',
    totals: { revenue: 1, surprise: 2 },
  } as const;
  const snapshot = await upsertSnapshot(context, { ...statement, dry_run: true });
  expect(snapshot).toMatchObject({ result: 'created', revision: 1, dry_run: true });
  expect(codes(snapshot)).toEqual(['unknown_total_key']);
  expect(changesBetween(before, await readTables(client))).toEqual({});
  await client.end();

  const ingest = await ingestTransactions(context, { company_id: company, transactions: rows, on_error: 'skip' });
  for (const field of ['received', 'inserted', 'skipped', 'failed', 'skipped_transactions', 'errors'] as const)
    expect(trial[field]).toEqual(ingest[field]);
  expect(ingest).not.toHaveProperty('dry_run');
});

test('a dry run lists the first 100 errors and counts every invalid row', async () => {
  const rows = Array.from({ length: 130 }, (_, i) => row(`r${i}`, { posted_at: '1950-01-01T00:00:00Z' }));
  const trial = await tryRows(rows);
  expect([trial.failed, trial.inserted, trial.errors.length]).toEqual([130, 0, 100]);
});

test('120 payroll rows that are positive: all_same_sign', async () => {
  const payroll = Array.from({ length: 120 }, (_, i) =>
    row(`pay-${i}`, { amount_cents: 300_000 + i, description: 'Payroll' }),
  );
  const trial = await tryRows(payroll);
  expect(codes(trial)).toEqual(['all_same_sign']);
  expect(trial.warnings[0]?.message).toContain('All 120 amounts are money in.');
  expect(codes(await tryRows(payroll.slice(0, 49)))).toEqual([]);
  expect(codes(await tryRows([...payroll, row('refund', { amount_cents: -1 })]))).toEqual([]);
});

/** The balance of item_A this many days ago. */
const postBalance = (days: number, balance_cents: number) =>
  upsertCashBalance(context, {
    company_id: company,
    as_of: daysAgo(days).slice(0, 10),
    balance_cents,
    currency: 'USD',
    connection_id: 'item_A',
  });

test('rows that move the money in the opposite direction of the balances: all_same_sign', async () => {
  await postBalance(30, 1_000_000);
  await postBalance(1, 800_000);
  const rows = (sign: number) =>
    Array.from({ length: 20 }, (_, i) =>
      row(`s-${i}`, { posted_at: daysAgo(25 - i), amount_cents: sign * 10_000 + i }),
    );
  expect(codes(await tryRows(rows(1)))).toEqual(['all_same_sign']);
  expect(codes(await tryRows(rows(-1)))).toEqual([]);
});

test('item_A and item_B with the same year of rows: suspected_duplicate_connection, with both figures', async () => {
  await post(year('item_A'));
  const trial = await tryRows(year('item_B'));
  expect(codes(trial)).toEqual(['suspected_duplicate_connection']);
  expect(trial.warnings[0]?.message).toMatch(
    /60 of the 60 rows of the account item_B are stored as those of the account item_A already/,
  );
  expect(trial.warnings[0]?.message).toContain('$60,000.00 in');
  expect(trial.warnings[0]?.message).toContain('counted twice $120,000.00 in');
  expect(trial.inserted).toBe(60);
});

test('less than 80 % overlap, or a connection that has rows already: no suspected_duplicate_connection', async () => {
  await post(year('item_A'));
  const other = year('item_B').map((one, i) => (i % 4 === 0 ? { ...one, amount_cents: 77_000 + i } : one));
  expect(codes(await tryRows(other))).not.toContain('suspected_duplicate_connection');
  await post([row('first', { connection_id: 'item_B', amount_cents: 1 })]);
  expect(codes(await tryRows(year('item_B')))).not.toContain('suspected_duplicate_connection');
});

test('the connection that replaces the old one is not suspected', async () => {
  const old = await createConnection(context, { company_id: company, provider: 'bank' });
  await post(year(old.id));
  await disconnectConnection(context, { connection_id: old.id });
  const heir = await createConnection(context, {
    company_id: company,
    provider: 'bank',
    replaces: old.id,
  });
  expect(codes(await tryRows(year(heir.id)))).not.toContain('suspected_duplicate_connection');
});

test('a new row that resembles a stored one of the same connection: suspected_duplicate, but it would be stored', async () => {
  await post([row('a', { description: 'CLOUD HOSTING 4411' }), row('b', { amount_cents: 5, description: 'Lunch' })]);
  const like = row('a2', { posted_at: daysAgo(9), description: 'Cloud Hosting, invoice 4411' });
  const trial = await tryRows([row('x', { amount_cents: 9 }), like]);
  expect(trial.warnings).toMatchObject([{ code: 'suspected_duplicate', pointer: '/transactions/1' }]);
  expect(trial.inserted).toBe(2);
  for (const different of [
    { amount_cents: -12_346 },
    { posted_at: daysAgo(6) },
    { description: 'Office rent' },
    { currency: 'EUR' },
  ])
    expect(codes(await tryRows([{ ...like, ...different }]))).not.toContain('suspected_duplicate');
  // The file names the stored row too: two equal payments of a day.
  expect(codes(await tryRows([row('a', { description: 'CLOUD HOSTING 4411' }), like]))).toEqual([]);
  // One stored row explains one new row.
  expect(codes(await tryRows([like, { ...like, external_id: 'a3' }]))).toEqual(['suspected_duplicate']);
});

test('a row of a connection that went quiet in the last 45 days: suspected_duplicate', async () => {
  await post([row('a', { description: 'Cloud hosting' })]);
  await post([row('live', { connection_id: 'item_C', description: 'Cloud hosting' })]);
  await post([row('live-2', { connection_id: 'item_C', posted_at: daysAgo(0), amount_cents: 3 })]);
  const moved = [
    row('m1', { connection_id: 'item_B', description: 'Cloud hosting' }),
    row('m2', { connection_id: 'item_B', posted_at: daysAgo(1), amount_cents: 4 }),
  ];
  const trial = await tryRows(moved);
  expect(trial.warnings).toMatchObject([{ code: 'suspected_duplicate', pointer: '/transactions/0' }]);
  expect(trial.warnings[0]?.message).toContain('a row of the account item_A');
  const longAgo = { posted_at: daysAgo(60), description: 'Old rent' };
  await post([row('old', { ...longAgo, connection_id: 'item_D' })]);
  expect(codes(await tryRows([row('n', { ...longAgo, connection_id: 'item_B' })]))).toEqual([]);
});

test('a voided row is ignored: no new row resembles it, and no balance is compared with it', async () => {
  await postBalance(40, 0);
  await postBalance(2, 500_000);
  const wrong = Array.from({ length: 12 }, (_, i) =>
    row(`out${i}`, { posted_at: daysAgo(30 - i), amount_cents: -50_000, description: `Payment ${i}` }),
  );
  const { transactions } = await post(wrong);
  const again = [row('again', { posted_at: daysAgo(25), amount_cents: -50_000, description: 'Payment 5' })];
  expect(codes(await tryRows(again))).toEqual(['all_same_sign', 'suspected_duplicate']);
  for (const { id } of transactions)
    await updateTransaction(context, { company_id: company, transaction_id: id, voided: true });
  expect(codes(await tryRows(again))).toEqual([]);
});

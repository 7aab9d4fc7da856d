// Risk: a gap between balances and transactions goes unseen, or one is told that is none.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getDataQuality } from './data-quality.ts';
import { getSummary } from './summary.ts';

const fixture = useFixture(createTestClock('2026-05-20T15:00:00Z'));
const { context } = fixture;
let company_id: string;
const timezone = 'America/New_York';
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Gap Inc', timezone })).id;
});

const balance = (as_of: string, balance_cents: number, currency = 'USD') =>
  upsertCashBalance(context, { company_id, as_of, balance_cents, currency, connection_id: 'a' });
const row = (day: string, amount_cents: number, currency = 'USD') => ({
  external_id: `${day}${currency}`,
  posted_at: `${day}T12:00:00Z`,
  amount_cents,
  currency,
  connection_id: 'a',
});
const ingest = (...transactions: ReturnType<typeof row>[]) => ingestTransactions(context, { company_id, transactions });
const intervals = async () => (await getDataQuality(context, { company_id })).reconciliation;

test('reconciliation reports what the transactions between two balances leave unexplained', async () => {
  await balance('2026-04-15', 100_000);
  await balance('2026-05-19', 70_000);
  await ingest(
    row('2026-04-15', -5_000),
    row('2026-04-16', -20_000),
    row('2026-05-19', -9_500),
    row('2026-05-20', -5_000),
  );
  const { data_quality, runway } = await getSummary(context, { company_id });
  expect(data_quality).toMatchObject({ unexplained_streams: 0 });
  await ingest(row('2026-05-01', -600));
  expect(runway.lines[0]?.flags.unexplained).toBe(false);
  await ingest(row('2026-05-02', -700));
  const after = await getSummary(context, { company_id });
  expect(after.data_quality.unexplained_streams).toBe(1);
  expect(after.runway.lines[0]?.flags.unexplained).toBe(true);
});

test('rows of the opening day, after the closing day and of another currency explain nothing, stored in sums or not', async () => {
  await balance('2026-04-15', 100_000);
  await balance('2026-05-19', 70_000);
  await intervals();
  await ingest(
    row('2026-04-15', -1),
    row('2026-04-16', -20),
    row('2026-05-01', -300, 'JPY'),
    row('2026-05-19', -4_000),
    row('2026-05-20', -50_000),
  );
  for (const _ of ['before', 'after']) {
    const days = { from: '2026-04-15', to: '2026-05-19' };
    expect(await intervals()).toMatchObject([{ ...days, posted_cents: -4_020, unexplained_cents: -25_980 }]);
    await refreshRollup(context, { companyId: company_id, timezone });
  }
});

test('a balance from before the series’s first row is not the opening one', async () => {
  await balance('2026-03-01', 500_000);
  await balance('2026-04-20', 100_000);
  await balance('2026-05-19', 70_000);
  await ingest(row('2026-04-21', -30_000));
  expect(await intervals()).toMatchObject([{ from: '2026-04-20', opening_cents: 100_000, status: 'pass' }]);
});

test('balances of two currencies are not compared', async () => {
  await balance('2026-04-15', 100_000, 'EUR');
  await balance('2026-05-19', 70_000);
  await ingest(row('2026-04-15', -1));
  expect(await intervals()).toEqual([]);
  await balance('2026-04-15', 100_000);
  expect(await intervals()).toHaveLength(1);
});

test('a series that changed its currency is reconciled from its first balance in the new one', async () => {
  await balance('2026-03-01', 900_000);
  await balance('2026-04-15', 500_000);
  await balance('2026-04-28', 490_000);
  await balance('2026-05-01', 400_000, 'EUR');
  await balance('2026-05-10', 395_000, 'EUR');
  await balance('2026-05-20', 390_000, 'EUR');
  await ingest(row('2026-03-02', -1_000), row('2026-05-12', -9_000, 'EUR'), row('2026-05-13', -7));
  expect(await intervals()).toMatchObject([
    { currency: 'EUR', from: '2026-05-01', to: '2026-05-20', opening_cents: 400_000, unexplained_cents: -1_000 },
  ]);
});

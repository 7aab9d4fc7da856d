// Risk: transfers are found depending on the number of rows, on later rows, or on the requested months.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { recomputeRunway } from '../../../../test/recompute-runway.ts';
import { rulesOf } from '../../../../test/rules-of.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from './data-quality.ts';
import { getBurn, getMonthly } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';
import { getSummary } from './summary.ts';

const clock = createTestClock();
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.set('2026-05-20T15:00:00Z');
  company_id = (await createCompany(context, { name: 'Transfers Inc', timezone: 'UTC' })).id;
});

const row = (posted_at: string, amount_cents: number, connection_id: string) => ({
  external_id: `${posted_at}${amount_cents}${connection_id}`,
  posted_at,
  amount_cents,
  currency: 'USD',
  connection_id,
});
const ingest = (...transactions: ReturnType<typeof row>[]) => ingestTransactions(context, { company_id, transactions });
const grossOf = async () => (await getBurn(context, { company_id })).lines.map((line) => line.gross_burn_cents);

/** Stores `count` transfers of one amount from `a` to `b`, two minutes apart, before any sums exist. */
const storeTransfers = (day: string, count: number) =>
  context.database.query(
    `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents, currency,
       currency_inferred, description, source, created_at)
     SELECT 'txn_' || $2 || $1 || n || side, $3, $2, side, $1 || n, $1::text::timestamptz + n * interval '2 minutes',
            CASE side WHEN 'a' THEN -700 ELSE 700 END, 'USD', false, '', 'api', $1::text::timestamptz
     FROM generate_series(1, $4::int) n, unnest(ARRAY['a', 'b']) side`,
    [day, company_id, context.accountId, count],
  );

test('the burn of whole months leaves out all suspected transfers, however many come later', async () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
  for (const month of months) {
    await storeTransfers(`${month}-02`, 300);
    await ingest(row(`${month}-10T12:00:00Z`, -2_000_000, 'a'));
  }
  await storeTransfers('2026-05-02', 10_500);
  expect(await grossOf()).toEqual([2_000_000]);
  const { suspected_transfers } = await getDataQuality(context, { company_id });
  expect(suspected_transfers).toMatchObject({ excluded: true, truncated: false, count: 600 });
});

test('a month is the same whether it is read with three others or with twelve', async () => {
  await ingest(
    row('2025-12-01T12:00:00Z', -1, 'a'),
    row('2026-01-28T12:00:00Z', -900, 'a'),
    row('2026-01-31T00:00:00Z', 900, 'b'),
    row('2026-02-01T12:00:00Z', -900, 'a'),
    row('2026-03-10T12:00:00Z', -50, 'a'),
  );
  const february = async (months: number) =>
    (await getMonthly(context, { company_id, months })).months.find(({ month }) => month === '2026-02')?.flows;
  expect(await february(4)).toMatchObject([{ money_out_cents: 900, excluded_out_cents: 0 }]);
  expect(await february(12)).toEqual(await february(4));
});

test('a transfer is left out once both of its sides are due', async () => {
  await ingest(row('2026-05-21T12:00:00Z', -500, 'a'), row('2026-05-22T12:00:00Z', 500, 'b'));
  const flows = async () => (await getSummary(context, { company_id })).this_month.flows;
  expect(await flows()).toMatchObject([{ money_in_cents: 0, money_out_cents: 500, transactions: 1 }]);
  clock.advance(86_400_000);
  expect(await flows()).toMatchObject([{ money_in_cents: 0, money_out_cents: 0, excluded_in_cents: 500 }]);
});

test('a payment to an excluded account is burn, not a transfer', async () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
  const rows = months.flatMap((month) => [
    row(`${month}-10T12:00:00Z`, -3_000_000, 'operating'),
    row(`${month}-11T12:00:00Z`, 3_000_000, 'personal'),
  ]);
  await ingest(...rows);
  expect(await grossOf()).toEqual([0]);
  await updateSettings(context, { company_id, excluded_connections: ['personal'] });
  expect(await grossOf()).toEqual([3_000_000]);
  expect(await getDataQuality(context, { company_id })).toMatchObject({ suspected_transfers: { count: 0 } });
  const settings = await getSettings(context, { company_id });
  const [line] = recomputeRunway({
    balances: [],
    transactions: rows.map((item) => ({ ...item, id: item.external_id, category: null })),
    timezone: 'UTC',
    baseCurrency: 'USD',
    now: clock.now(),
    rules: rulesOf(settings),
    disconnected: [],
  });
  expect(line).toMatchObject({ gross_burn_cents: 3_000_000 });
});

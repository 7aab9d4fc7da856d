// Risk: a classified, voided or restored row still counts as before.
import { createTestClock, createTestRandom } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { changeRows, type RowChange } from '../../../../test/change-rows.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { figuresOf } from '../../../../test/recompute-runway.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getDataQuality } from './data-quality.ts';
import { getBurn, getFreshness, getMonthly, getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Changes Inc', timezone: 'UTC' })).id;
});

type Row = TestRow & { id: string };
const months = (first: number, last = 10) =>
  Array.from({ length: last - first + 1 }, (_, i) => `2026-${String(first + i).padStart(2, '0')}`);
/** A row in each month, whose id ends with the month. */
const monthly = (row: Omit<Row, 'day'>, first = 7): Row[] =>
  months(first).map((month) => ({ ...row, id: `${row.id}-${month}`, day: `${month}-10` }));

const toTransactions = createRowMapper();
const post = (rows: readonly Row[]) => ingestTransactions(context, { company_id, transactions: toTransactions(rows) });
const change = (ids: readonly string[], set: RowChange) => changeRows(context, company_id, ids, set);
const hold = (cash: number) =>
  upsertCashBalance(context, {
    company_id,
    as_of: '2026-11-25',
    balance_cents: cash * 100,
    currency: 'USD',
    connection_id: 'bank',
  });
async function runway() {
  const { headline, lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(await recomputeStored(context, company_id));
  return {
    burn: (headline?.net_burn_cents ?? Number.NaN) / 100,
    months: headline?.runway_months,
    status: headline?.status,
    reasons: headline?.confidence_reasons.map(({ code }) => code),
  };
}
async function flowOf(month: string) {
  const found = (await getMonthly(context, { company_id, months: 6 })).months.find((one) => one.month === month);
  const [flow] = found?.flows ?? [];
  return flow && { in: flow.money_in_cents, out: flow.money_out_cents, rows: flow.transactions };
}
/** The stored sums of the company. */
const storedSums = () =>
  Promise.all(
    ['transaction_month', 'transaction_day', 'transaction_receipt'].map((table) =>
      context.database.query(`SELECT to_jsonb(t) FROM ${table} t WHERE company_id = $1 ORDER BY t::text`, [company_id]),
    ),
  );

test('a prepayment that a person calls income is income', async () => {
  await post([
    ...monthly({ id: 'out', amount: -150_000 }, 5),
    ...monthly({ id: 'in', amount: 50_000 }, 5),
    { id: 'prepayment', day: '2026-09-15', amount: 600_000 },
  ]);
  await hold(1_200_000);
  expect(await runway()).toMatchObject({ burn: 100_000, months: 12, reasons: ['large_inflow'] });
  await change(['prepayment'], { flow_class: 'counted' });
  expect(await runway()).toMatchObject({ burn: -100_000, status: 'cash_flow_positive', reasons: [] });
  await change(['prepayment'], { flow_class: null });
  expect(await runway()).toMatchObject({ burn: 100_000, reasons: ['large_inflow'] });
});

test('a transfer by its label that a person calls counted is spending, and no side of a pair', async () => {
  await post([
    ...monthly({ id: 'out', amount: -4_000 }),
    { id: 'moved', day: '2026-09-03', amount: -900, category: 'internal_transfer' },
    { id: 'arrived', day: '2026-09-04', amount: 900, account: 'savings', category: 'transfer' },
  ]);
  await hold(10_000);
  expect(await flowOf('2026-09')).toMatchObject({ in: 0, out: 4_000_00 });
  await change(['moved'], { flow_class: 'counted' });
  expect(await flowOf('2026-09')).toMatchObject({ in: 900_00, out: 4_900_00 });
  expect(await getDataQuality(context, { company_id })).toMatchObject({ suspected_transfers: { count: 0 } });
  await runway();
});

test.each([
  ['counted', { in: 700_00, out: 1_000_00 }],
  ['financing', { in: 0, out: 1_000_00 }],
  ['transfer', { in: 0, out: 100_00 }],
  ['excluded', { in: 0, out: 100_00 }],
] as const)('a person calls money in and money out %s, whatever their labels say', async (flow_class, expected) => {
  await post([
    ...monthly({ id: 'out', amount: -100 }),
    { id: 'a', day: '2026-09-03', amount: -900, category: 'internal_transfer' },
    { id: 'b', day: '2026-09-20', amount: 700, category: 'Series A' },
  ]);
  await hold(10_000);
  await change(['a', 'b'], { flow_class });
  expect(await flowOf('2026-09')).toMatchObject(expected);
  await runway();
});

test('a class by a person overrides the payment of a connected card, and a paired row is moved once', async () => {
  await post([
    ...monthly({ id: 'out', amount: -4_000 }),
    ...monthly({ id: 'paid', amount: -50, category: 'credit_card_payment' }),
    ...monthly({ id: 'got', amount: 50, category: 'credit_card_payment', account: 'card' }),
    { id: 'moved', day: '2026-09-03', amount: -900 },
    { id: 'arrived', day: '2026-09-04', amount: 900, account: 'savings' },
  ]);
  await hold(10_000);
  expect(await flowOf('2026-09')).toMatchObject({ in: 0, out: 4_000_00 });
  await change(['paid-2026-09'], { flow_class: 'counted' });
  await change(['moved'], { flow_class: 'transfer' });
  expect(await flowOf('2026-09')).toMatchObject({ in: 0, out: 4_050_00 });
  expect((await runway()).reasons).toEqual([]);
});

test('a transfer by a person’s class without another side is doubted', async () => {
  await post([...monthly({ id: 'out', amount: -100 }), ...monthly({ id: 'moved', amount: -900 })]);
  await hold(10_000);
  await change(
    months(7).map((month) => `moved-${month}`),
    { flow_class: 'transfer' },
  );
  expect(await runway()).toMatchObject({ burn: 100, reasons: ['unpaired_transfers'] });
});

test('rows of an account whose rows don’t count stay left out, whatever class they have', async () => {
  await post([
    ...monthly({ id: 'out', amount: -100 }),
    { id: 'bought', day: '2026-09-03', amount: -500, account: 'broker' },
  ]);
  await hold(10_000);
  await change(['bought'], { flow_class: 'counted' });
  expect(await flowOf('2026-09')).toMatchObject({ out: 600_00 });
  const accounts = [{ connection_id: 'broker', account_type: 'investment' as const }];
  await updateSettings(context, { company_id, accounts });
  expect(await flowOf('2026-09')).toMatchObject({ out: 100_00 });
});

test('a row that is sent again with another amount counts with that one', async () => {
  await post([...monthly({ id: 'out', amount: -1 }), { id: 't1', day: '2026-10-05', amount: -100 }]);
  await hold(10_000);
  expect(await flowOf('2026-10')).toMatchObject({ out: 101_00 });
  await change(['t1'], { amount_cents: -120_00 });
  expect(await flowOf('2026-10')).toEqual({ in: 0, out: 121_00, rows: 2 });
  await change(['t1'], { posted_at: '2026-09-30T23:59:59Z', category: 'fees' });
  expect([await flowOf('2026-09'), await flowOf('2026-10')]).toMatchObject([
    { out: 121_00, rows: 2 },
    { out: 1_00, rows: 1 },
  ]);
  await runway();
});

test('payroll with the wrong sign that is sent again is money out', async () => {
  const ids = Array.from({ length: 120 }, (_, i) => `pay-${i}`);
  await post(ids.map((id) => ({ id, day: '2026-10-25', amount: 1_000 })));
  expect(await flowOf('2026-10')).toMatchObject({ in: 120_000_00, out: 0 });
  await change(ids, { amount_cents: -1_000_00 });
  expect(await flowOf('2026-10')).toEqual({ in: 0, out: 120_000_00, rows: 120 });
});

test('of one payment under two ids a void leaves one, and it counts again once it is no longer void', async () => {
  await post(['t1', 't2'].map((id) => ({ id, day: '2026-10-05', amount: -500 })));
  expect(await flowOf('2026-10')).toMatchObject({ out: 1_000_00 });
  await change(['t2'], { voided: true });
  expect(await flowOf('2026-10')).toEqual({ in: 0, out: 500_00, rows: 1 });
  await change(['t2'], { amount_cents: -700_00 });
  expect(await flowOf('2026-10')).toMatchObject({ out: 500_00 });
  await change(['t2'], { amount_cents: -500_00 });
  await change(['t2'], { voided: false });
  expect(await flowOf('2026-10')).toEqual({ in: 0, out: 1_000_00, rows: 2 });
});

test('an account whose rows are all void is as one that never had any', async () => {
  await post(monthly({ id: 'out', amount: -100 }, 5));
  await hold(10_000);
  const figures = async () => [
    await getBurn(context, { company_id }),
    await runway(),
    await getFreshness(context, { company_id }),
  ];
  const before = await figures();
  await post([{ id: 'late', day: '2026-10-20', amount: -9_000, account: 'other' }]);
  await post([{ id: 'early', day: '2026-02-20', amount: -9_000, account: 'other' }]);
  expect(await figures()).not.toEqual(before);
  await change(['early', 'late'], { voided: true });
  expect(await figures()).toEqual(before);
});

test('void rows are no pair, no large inflow, no payment of a card and not due later', async () => {
  await post([
    ...monthly({ id: 'out', amount: -4_000 }),
    { id: 'moved', day: '2026-09-03', amount: -900 },
    { id: 'arrived', day: '2026-09-04', amount: 900, account: 'savings' },
    { id: 'round', day: '2026-10-04', amount: 90_000 },
    { id: 'now', day: '2026-11-10', amount: -7 },
    { id: 'future', day: '2026-11-28', amount: -800 },
    { id: 'paid', day: '2026-10-10', amount: -50, category: 'credit_card_payment' },
    { id: 'got', day: '2026-10-10', amount: 50, category: 'credit_card_payment', account: 'card' },
  ]);
  await hold(10_000);
  await change(['moved', 'round', 'future', 'got'], { voided: true });
  expect(await runway()).toMatchObject({ reasons: [] });
  const flows = await Promise.all(['2026-09', '2026-10', '2026-11'].map(flowOf));
  expect(flows).toEqual([
    { in: 900_00, out: 4_000_00, rows: 2 },
    { in: 0, out: 4_050_00, rows: 2 },
    { in: 0, out: 7_00, rows: 1 },
  ]);
  const { warnings, suspected_transfers } = await getDataQuality(context, { company_id });
  expect([warnings, suspected_transfers.count]).toEqual([[], 0]);
});

test('a balance that a void row seemed to explain is not explained', async () => {
  const balance = (as_of: string, cents: number) =>
    upsertCashBalance(context, { company_id, as_of, balance_cents: cents, currency: 'USD', connection_id: 'bank' });
  await balance('2026-10-20', 100_000_00);
  await balance('2026-11-20', 98_000_00);
  await post([{ id: 't', day: '2026-10-25', amount: -2_000 }, ...monthly({ id: 'out', amount: -1 })]);
  const status = async () =>
    (await getDataQuality(context, { company_id })).reconciliation.map((one) => [one.posted_cents, one.status]);
  expect(await status()).toEqual([[-2_000_00, 'pass']]);
  await change(['t'], { voided: true });
  expect(await status()).toEqual([[0, 'warn']]);
});

test('after changes in any order, the sums match the rows', async () => {
  const random = createTestRandom(41);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[random.integer(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  const day = () => `2026-${pick(['06', '07', '08', '09', '10'])}-${String(1 + random.integer(28)).padStart(2, '0')}`;
  const ids: string[] = [];
  const changes: (() => RowChange)[] = [
    () => ({ flow_class: pick(['counted', 'financing', 'transfer', 'excluded', null] as const) }),
    () => ({ voided: pick([true, false]) }),
    () => ({ amount_cents: (random.integer(9) - 4) * 100_00, posted_at: `${day()}T00:30:00Z` }),
    () => ({ category: pick(['internal_transfer', 'Series A', 'credit card payment', 'rent', null]) }),
    () => ({ currency: pick(['USD', 'EUR']), counterparty: pick(['Acme', null]) }),
  ];
  await hold(10_000);
  for (let step = 0; step < 60; step++) {
    const rows = Array.from({ length: random.integer(4) }, (_, i) => ({
      id: `r${step}-${i}`,
      day: day(),
      amount: (random.integer(9) - 4) * 100,
      account: pick(['bank', 'card', 'savings']),
    }));
    await post(rows);
    ids.push(...rows.map(({ id }) => id));
    if (ids.length > 0) await change([...new Set([pick(ids), pick(ids), pick(ids)])], pick(changes)());
    if (step % 3 === 0) await runway();
  }
  await refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
  const kept = await storedSums();
  await context.database.query('DELETE FROM transaction_rollup WHERE company_id = $1', [company_id]);
  await refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
  expect(kept).toEqual(await storedSums());
});

// Risk: a sum stays under the category that a row had before, or a step of the classes looks at the posted one.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { changeRows, type RowChange } from '../../../../test/change-rows.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { runOperation } from '../../../../test/operation-stage.ts';
import { figuresOf } from '../../../../test/recompute-runway.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { applyFlowRules } from '../rollup/apply-flow-rules.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { listTransactions } from '../transactions/list.ts';
import { getMonthly, getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Sums Inc', timezone: 'UTC' })).id;
});

type Row = Omit<TestRow, 'day'> & { day?: string };
const toTransactions = createRowMapper();
const post = (...rows: Row[]) => {
  const transactions = toTransactions(rows.map((row) => ({ day: '2026-10-10', ...row })));
  return ingestTransactions(context, { company_id, transactions });
};
const change = (id: string, set: RowChange) => changeRows(context, company_id, [id], set);
type Rules = NonNullable<Parameters<typeof updateSettings>[1]['flow_rules']>;
async function applyRules(...flow_rules: Rules) {
  await updateSettings(context, { company_id, flow_rules });
  await applyFlowRules(fixture.core);
}
/** October's money out by category. */
async function spent() {
  const { rows } = await runOperation(context, operations.financials.breakdown, {
    company_id,
    from: '2026-10',
    to: '2026-10',
    compare: 'none',
  });
  return Object.fromEntries(rows.map(({ key, total_cents }) => [key, (total_cents ?? 0) / 100]));
}
async function flow() {
  const found = (await getMonthly(context, { company_id, months: 3 })).months.find(({ month }) => month === '2026-10');
  const [line] = found?.flows ?? [];
  return line && [(line.money_in_cents ?? 0) / 100, (line.money_out_cents ?? 0) / 100];
}
/** Of October's rows, what they count as and why. */
const counted = async () =>
  Object.fromEntries(
    (await listTransactions(context, { company_id, month: '2026-10', limit: 100, order: 'asc' })).data.map((row) => [
      row.external_id,
      `${row.counted_as?.flow_class} ${row.counted_as?.flow_reason}`,
    ]),
  );
async function agrees() {
  await upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: 1, currency: 'USD' });
  const { lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(await recomputeStored(context, company_id));
}
const storedCategories = async () =>
  (
    await context.database.query<{ category: string; out: number }>(
      `SELECT category, sum(money_out)::float8 / 100 AS out FROM transaction_month WHERE company_id = $1 GROUP BY 1 ORDER BY 1`,
      [company_id],
    )
  ).map(({ category, out }) => [category, out]);

test('a changed category takes its row out of the one sum and adds it to the other, and nothing is summed twice', async () => {
  await post({ id: 'a', amount: -100, category: 'meals' }, { id: 'b', amount: -20, category: 'meals' });
  expect(await spent()).toEqual({ meals: 120 });
  await refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
  await change('a', { own_category: 'Travel  costs' });
  expect(await spent()).toEqual({ travel_costs: 100, meals: 20 });
  expect(await storedCategories()).toEqual([
    ['meals', 20],
    ['travel_costs', 100],
  ]);
  await change('a', { amount_cents: -300_00, category: 'other' });
  expect(await spent()).toEqual({ travel_costs: 300, meals: 20 });
  await change('a', { own_category: null });
  expect(await spent()).toEqual({ other: 300, meals: 20 });
  await change('b', { own_category: 'other', voided: true });
  expect(await spent()).toEqual({ other: 300 });
  await change('b', { voided: false });
  expect(await storedCategories()).toEqual([['other', 300]]);
  expect(await spent()).toEqual({ other: 320 });
  await agrees();
});

test('a rule’s category is in new sums at once, and in the stored ones after they were made again', async () => {
  await post({ id: 'a', amount: -100, description: 'Uber trip' });
  expect(await spent()).toEqual({ null: 100 });
  await updateSettings(context, { company_id, flow_rules: [{ contains: 'uber', category: 'taxi' }] });
  await post({ id: 'b', amount: -7, description: 'uber' });
  expect(await spent()).toEqual({ null: 107 });
  await applyFlowRules(fixture.core);
  await post(
    { id: 'c', amount: -20, description: 'uber', category: 'meals' },
    { id: 'd', amount: -3, category: 'meals' },
  );
  expect(await spent()).toEqual({ taxi: 127, meals: 3 });
  await change('c', { own_category: 'client' });
  expect(await spent()).toEqual({ taxi: 107, client: 20, meals: 3 });
  await applyRules();
  expect(await spent()).toEqual({ null: 107, client: 20, meals: 3 });
  await agrees();
});

test.each<[string, Rules]>([
  ['a person', []],
  [
    'a rule',
    [
      { contains: 'to savings', category: 'Internal transfer' },
      { contains: 'angel', category: 'Series A' },
      { contains: 'no transfer', category: 'rent' },
    ],
  ],
])('a category by %s decides what a row counts as, instead of the posted one', async (_, rules) => {
  await post(
    { id: 'moved', amount: -500, description: 'to savings', category: 'misc' },
    { id: 'raised', amount: 10, description: 'angel' },
    { id: 'rent', amount: -70, description: 'no transfer', category: 'internal_transfer' },
  );
  expect(await flow()).toEqual([10, 500]);
  if (rules.length > 0) await applyRules(...rules);
  else {
    await change('moved', { own_category: 'Internal transfer' });
    await change('raised', { own_category: 'Series A' });
    await change('rent', { own_category: 'rent' });
  }
  expect(await counted()).toEqual({
    moved: 'transfer category',
    raised: 'financing category',
    rent: 'counted default',
  });
  expect(await flow()).toEqual([0, 70]);
  await agrees();
});

test.each(['a person', 'a rule'])('a category by %s makes a row a side of a pair, or keeps it out', async (by) => {
  const pair = (id: string, amount: number, day: string, category?: string): Row[] => [
    { id: `${id}-out`, amount: -amount, day, description: `sent ${id}`, category },
    { id: `${id}-in`, amount, day, account: 'savings', category },
  ];
  await post(...pair('x', 300, '2026-10-05', 'deposit'), ...pair('y', 40, '2026-10-20'), { amount: -1 });
  await post({ id: 'z-out', amount: -8, category: 'rent', description: 'sent z' });
  await post({ id: 'z-in', amount: 8, account: 'savings' });
  const sides = { 'y-out': 'transfer pair', 'y-in': 'transfer pair' };
  expect(await counted()).toMatchObject({ ...sides, 'x-out': 'transfer pair', 'z-out': 'counted default' });
  if (by === 'a rule') {
    await applyRules({ contains: 'sent x', category: 'sales' }, { contains: 'sent z', category: 'Bank transfer' });
  } else {
    await change('x-out', { own_category: 'sales' });
    await change('z-out', { own_category: 'Bank transfer' });
  }
  expect(await counted()).toMatchObject({ ...sides, 'x-out': 'counted default', 'z-out': 'transfer pair' });
  await agrees();
});

test.each(['a person', 'a rule'])(
  'a payment of a card by a category of %s is a transfer, like a posted one',
  async (by) => {
    const months = ['2026-07', '2026-08', '2026-09', '2026-10'];
    await post(
      ...months.flatMap((month): Row[] => [
        { day: `${month}-03`, amount: -30, account: 'card' },
        { id: `paid-${month}`, day: `${month}-05`, amount: -50, description: 'Brex card pmt' },
        { id: `got-${month}`, day: `${month}-05`, amount: 50, account: 'card', description: 'Payment, thanks' },
        { day: `${month}-06`, amount: -7, description: 'other', category: 'credit_card_payment' },
      ]),
    );
    await updateSettings(context, { company_id, exclude_suspected_transfers: false });
    expect(await flow()).toEqual([50, 87]);
    if (by === 'a rule') {
      await applyRules(
        { contains: 'brex card', category: 'Credit Card Payment' },
        { contains: 'payment, thanks', category: 'Credit Card Payment' },
        { contains: 'other', category: 'bank fees' },
      );
    } else {
      for (const month of months)
        for (const id of ['paid', 'got']) await change(`${id}-${month}`, { own_category: 'Credit Card Payment' });
      const { data } = await listTransactions(context, { company_id, limit: 100, order: 'asc', q: 'other' });
      for (const { external_id } of data) await change(external_id, { own_category: 'bank fees' });
    }
    expect(await flow()).toEqual([0, 37]);
    expect(await spent()).toEqual({ null: 30, bank_fees: 7 });
    await agrees();
  },
);

test('an inflow with a financing category by a person is no large inflow', async () => {
  const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
  await post(...months.map((month) => ({ day: `${month}-05`, amount: -4_000 })));
  await post({ id: 'round', amount: 90_000, description: 'Wire' });
  expect(await counted()).toMatchObject({ round: 'excluded large_inflow' });
  await change('round', { own_category: 'Seed round' });
  expect(await counted()).toMatchObject({ round: 'financing category' });
  const { headline } = await getRunway(context, { company_id });
  expect(headline?.confidence_reasons ?? []).toEqual([]);
  await agrees();
});

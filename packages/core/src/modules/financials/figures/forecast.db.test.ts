// Risk: a forecast starts from other figures than runway, or stores the plan.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getForecast } from './forecast.ts';
import { getRunway } from './get-figures.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  const timezone = 'America/New_York';
  company_id = (await createCompany(context, { name: 'Plan Inc', timezone, base_currency: 'USD' })).id;
});

/** Amounts are whole units. */
const balance = (amount: number) =>
  upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: amount * 100, currency: 'USD' });
const pay = (outs: Record<string, number>) =>
  ingestTransactions(context, {
    company_id,
    transactions: Object.entries(outs).map(([day, out]) => ({
      external_id: day,
      posted_at: `${day}T12:00:00Z`,
      amount_cents: -out * 100,
      currency: 'USD',
    })),
  });
const { input: schema } = operations.financials.forecast;
const forecast = (given: object = {}) => getForecast(context, schema.parse({ company_id, ...given }));

const steady = { '2026-07-15': 1, '2026-08-15': 100_000, '2026-09-15': 100_000, '2026-10-15': 100_000 };
const hires = { label: 'Two people', amount_cents: -4_500_000, every: 'month', from: '2027-01' };
const raise = { label: 'Round', amount_cents: 100_000_000, every: 'once', from: '2027-03' };

test('a forecast without changes continues cash and burn of the runway', async () => {
  await balance(1_200_000);
  await pay(steady);
  const { months, ...figures } = await forecast();
  expect(figures).toEqual({
    object: 'forecast',
    company_id,
    currency: 'USD',
    base_net_burn_cents: 10_000_000,
    cash_out_date: '2027-11-25',
    runway_months: 12,
    raise_by_date: '2027-05-25',
  });
  expect(months).toHaveLength(18);
  expect(months.slice(0, 2)).toEqual([
    { month: '2026-11', change_cents: 0, closing_cents: 118_357_256 },
    { month: '2026-12', change_cents: 0, closing_cents: 108_172_242 },
  ]);
  expect((await getRunway(context, { company_id })).headline?.cash_out_date).toBe(figures.cash_out_date);
});

test('changes are added and leave no trace', async () => {
  await balance(1_200_000);
  await pay(steady);
  const traces = async () => [await readFeed(context), await readAudits(context, { company_id }, 'action')];
  const before = await traces();
  const { months, ...dates } = await forecast({ changes: [hires, raise], months: 5, lead_months: 0 });
  expect(dates).toMatchObject({ cash_out_date: '2028-03-11', raise_by_date: '2028-03-11' });
  expect(months.map(({ closing_cents }) => closing_cents)).toEqual([
    118_357_256, 108_172_242, 93_403_971, 80_064_888, 165_296_618,
  ]);
  expect(await traces()).toEqual(before);
});

test('burn is the unrounded mean of the last `basis_months` complete months', async () => {
  await balance(100_000);
  await pay({ '2026-06-15': 1, '2026-07-15': 0.01, '2026-08-15': 0.01, '2026-09-15': 0.01, '2026-10-15': 9_999.98 });
  for (const [basis_months, burn] of [
    [1, 999_998],
    [3, 333_333],
    [4, 250_000],
    [12, 250_000],
  ]) {
    const { base_net_burn_cents, cash_out_date } = await forecast({ basis_months });
    const { headline } = await getRunway(context, { company_id, months: basis_months });
    expect([base_net_burn_cents, cash_out_date]).toEqual([burn, headline?.cash_out_date]);
  }
});

test('without a month of transactions the burn is the fall of the balances', async () => {
  await upsertCashBalance(context, { company_id, as_of: '2026-09-26', balance_cents: 16_000_000, currency: 'USD' });
  await balance(120_000);
  const { headline } = await getRunway(context, { company_id });
  expect(headline).toMatchObject({ basis: 'balance_delta', net_burn_cents: 2_029_125 });
  expect(await forecast()).toMatchObject({ base_net_burn_cents: 2_029_125, cash_out_date: headline?.cash_out_date });
});

const noDates = { cash_out_date: null, runway_months: null, raise_by_date: null };
const unknown = { currency: null, base_net_burn_cents: null, months: [], ...noDates };

test('without cash or without burn there is no forecast', async () => {
  expect(await forecast({ changes: [hires] })).toEqual({ object: 'forecast', company_id, ...unknown });
  await pay(steady);
  expect(await forecast()).toMatchObject(unknown);
});

test('without transactions and a second balance there is no forecast', async () => {
  await balance(1_200_000);
  expect(await forecast()).toMatchObject(unknown);
});

test.each([
  ['a one-off of a past month', { ...raise, from: '2026-10' }, 'from', 'date_out_of_range'],
  ['an end of a one-off', { ...raise, until: '2027-04' }, 'until', 'not_applicable'],
  ['an end before the first month', { ...hires, until: '2026-12' }, 'until', 'date_out_of_range'],
])('%s is rejected', async (_, change, field, code) => {
  await expect(forecast({ changes: [hires, change] })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ pointer: `/changes/1/${field}`, code }],
  });
});

test.each([
  ['no month', { changes: [{ ...hires, from: '2027-13' }] }],
  ['a day', { changes: [{ ...hires, from: '2027-01-01' }] }],
  ['21 changes', { changes: Array.from({ length: 21 }, () => hires) }],
  ['37 months', { months: 37 }],
  ['a basis of 13 months', { basis_months: 13 }],
  ['a lead of 25 months', { lead_months: 25 }],
])('%s does not fit the schema', (_, given) => {
  expect(schema.safeParse({ company_id, ...given }).success).toBe(false);
});

test('a one-off of this month, and monthly changes since the past, count', async () => {
  await balance(100_000);
  await pay(steady);
  const changes = [
    { ...raise, from: '2026-11', amount_cents: 9_000 },
    { ...hires, from: '2020-01', until: null },
  ];
  const { months } = await forecast({ months: 1, changes });
  // 9,000 − 4,500,000 × 5 ÷ 30.436875
  expect(months).toMatchObject([{ change_cents: -730_235 }]);
});

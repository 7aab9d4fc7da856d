// Risk: a small account in another currency decides the runway, or amounts are added without conversion.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { runOperation } from '../../../../test/operation-stage.ts';
import { createRowMapper } from '../../../../test/test-rows.ts';
import type { Context } from '../../../verbs/context.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { createCompany } from '../../companies/create.ts';
import { getForecast } from './forecast.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  company_id = (await createCompany(context, { name: 'Total Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const MONTHS = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
const toTransactions = createRowMapper();
/** Amounts are whole units. */
const move = (
  currency: string,
  amount: number,
  { months = MONTHS, ...labels }: { category?: string; months?: string[]; account?: string } = {},
) =>
  ingestTransactions(context, {
    company_id,
    transactions: toTransactions(
      months.map((month) => ({ day: `${month}-10`, amount, currency, account: currency, ...labels })),
    ),
  });
const hold = (currency: string, amount: number) =>
  upsertCashBalance(context, {
    company_id,
    as_of: '2026-11-25',
    balance_cents: amount * 100,
    currency,
    connection_id: currency,
  });
const rate = (USD: string, as_of = '2026-11-25') =>
  runOperation(context, operations.fxRates.put, { base: 'EUR', as_of, rates: { USD }, source: 'ECB' });
const figures = async () => ({
  cash: await getCashOnHand(context, { company_id }),
  burn: await getBurn(context, { company_id }),
  runway: await getRunway(context, { company_id }),
  monthly: await getMonthly(context, { company_id, months: 4 }),
});
/** Much cash in the base currency, and a small account in another currency that is refilled. */
async function open() {
  await hold('USD', 10_000_000);
  await hold('EUR', 5_000);
  await move('USD', -50_000);
  await move('EUR', -50_000);
}

test.each(['labelled', 'not labelled'])(
  'a small account that is filled by transfers, %s, does not limit the company',
  async (how) => {
    await open();
    const label = how === 'labelled' ? { category: 'internal_transfer' } : {};
    await move('USD', -50_000, label);
    await move('EUR', 50_000, label);
    await rate('1.00');
    const { cash, burn, runway } = await figures();
    const net = { currency: 'USD', net_burn_cents: 10_000_000, rates: { as_of: '2026-11-25', source: 'ECB' } };
    expect(cash.total).toMatchObject({ balance_cents: 1_000_500_000, streams: 2, rates: net.rates });
    expect(burn.total).toMatchObject({ ...net, gross_burn_cents: how === 'labelled' ? 10_000_000 : 15_000_000 });
    expect(runway.total).toMatchObject({
      ...net,
      cash_cents: 1_000_500_000,
      runway_months: 100,
      flags: { mixed_currency: false, low_confidence: false },
    });
    const { rates: _, ...line } = runway.total ?? { rates: null };
    expect(await getForecast(context, { company_id })).toMatchObject({
      currency: 'USD',
      base_net_burn_cents: 10_000_000,
      cash_out_date: runway.total?.cash_out_date,
      runway_months: 100,
    });
    expect(await getForecast(context, { company_id, currency: 'USD' })).toMatchObject({ runway_months: 100 });
    expect(await getForecast(context, { company_id, currency: 'EUR' })).toMatchObject({
      currency: 'EUR',
      runway_months: runway.lines[1]?.runway_months,
    });
    expect(runway.headline).toEqual(line);
    expect(runway.lines.map(({ currency }) => currency)).toEqual(['USD', 'EUR']);
  },
);

test('cash and flows are converted with one rate, in every figure', async () => {
  await open();
  await rate('1.0842');
  const { cash, burn, runway, monthly } = await figures();
  expect(cash.total).toMatchObject({ balance_cents: 1_000_542_100 });
  expect(burn.total).toMatchObject({ net_burn_cents: 10_421_000, net_burn_stddev_cents: 0 });
  expect(burn.total?.months).toMatchObject(MONTHS.slice(2).map((month) => ({ month, gross_burn_cents: 10_421_000 })));
  expect(runway.total).toMatchObject({ cash_cents: 1_000_542_100, net_burn_cents: 10_421_000, runway_months: 96 });
  expect(monthly.months.map(({ total }) => total?.money_out_cents)).toEqual([10_421_000, 10_421_000, 10_421_000, 0]);
  for (const figure of [cash, burn, runway, monthly]) expect(figure.rates_missing).toEqual([]);
});

test.each<[title: string, as_of: string | undefined]>([
  ['without rates', undefined],
  ['with rates of eight days ago', '2026-11-17'],
])('%s there is no total, and the currency that runs out first leads', async (_, as_of) => {
  await open();
  if (as_of !== undefined) await rate('1.00', as_of);
  const all = await figures();
  for (const { rates_missing } of Object.values(all)) expect(rates_missing).toEqual(['EUR']);
  expect([all.cash.total, all.burn.total, all.runway.total]).toEqual([null, null, null]);
  expect(all.monthly.months.map(({ total }) => total)).toEqual([null, null, null, null]);
  expect(all.runway.headline).toMatchObject({ currency: 'EUR', runway_months: 0.1 });
  const forecast = async (currency?: string) => {
    const { runway_months, ...found } = await getForecast(context, { company_id, currency });
    return [found.currency, runway_months];
  };
  expect(await forecast()).toEqual(['EUR', 0.1]);
  // 200 months are beyond what a forecast looks at.
  expect(await forecast('USD')).toEqual(['USD', null]);
  expect(await forecast('eur')).toEqual(['EUR', 0.1]);
  expect(await forecast('JPY')).toEqual([null, null]);
});

test('rates of seven days ago convert', async () => {
  await open();
  await rate('1.00', '2026-11-18');
  const { runway } = await figures();
  expect(runway.total).toMatchObject({ runway_months: 100, rates: { as_of: '2026-11-18' } });
});

test('a company with the base currency alone has a total without rates, which is its line', async () => {
  await hold('USD', 600_000);
  await move('USD', -100_000);
  await upsertCashBalance(context, {
    company_id,
    as_of: '2026-11-25',
    balance_cents: 0,
    currency: 'EUR',
    connection_id: 'x',
  });
  const { cash, burn, runway, monthly } = await figures();
  expect(cash.total).toMatchObject({ balance_cents: 60_000_000, rates: null });
  expect(burn.total).toEqual({ ...burn.lines[0], rates: null });
  expect(runway.total).toMatchObject({ runway_months: 6, rates: null });
  expect(monthly.months[1]?.total).toEqual({ ...monthly.months[1]?.flows[0], rates: null });
});

test('a company without data has no total, and misses no rate', async () => {
  const { cash, burn, runway, monthly } = await figures();
  expect([cash.total, burn.total, runway.total, runway.headline, monthly.months[0]?.total]).toEqual(
    Array(5).fill(null),
  );
  for (const figure of [cash, burn, runway, monthly]) expect(figure.rates_missing).toEqual([]);
});

test('excluded money in a currency without a rate does not block the total, and is unknown in it', async () => {
  await hold('USD', 600_000);
  await move('USD', -100_000);
  await move('JPY', -70, { category: 'internal_transfer' });
  const { burn, runway, monthly } = await figures();
  expect(burn.total).toMatchObject({ gross_burn_cents: 10_000_000 });
  expect(runway.total).toMatchObject({ runway_months: 6 });
  expect(monthly.months[0]?.total).toMatchObject({ money_out_cents: 10_000_000, excluded_out_cents: null });
});

test('a main account in another currency drops the months before it was known, once its rate is', async () => {
  await hold('USD', 600_000);
  await move('USD', -1_000);
  await move('EUR', -200_000, { months: ['2026-09', '2026-10'] });
  expect((await figures()).burn.window).toHaveLength(3);
  await rate('1.00');
  const { runway } = await figures();
  expect(runway.headline).toMatchObject({ window: ['2026-10'], net_burn_cents: 20_100_000, runway_months: 2.9 });
});

test('transfers without another side are judged in all currencies, once they have rates', async () => {
  await hold('USD', 300_000);
  await move('USD', -50_000);
  await move('EUR', -20_000, { category: 'internal_transfer' });
  await move('EUR', -1);
  const codes = async () => (await figures()).runway.headline?.confidence_reasons.map(({ code }) => code);
  expect(await codes()).toEqual([]);
  await rate('1.00');
  expect(await codes()).toEqual(['unpaired_transfers']);
  await move('USD', 20_000, { category: 'internal_transfer' });
  expect(await codes()).toEqual([]);
});

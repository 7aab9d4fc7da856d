// Risk: cash, burn or runway in the monthly table differ from the figures as they were in that month.
import { type MonthlyLine, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { runOperation } from '../../../../test/operation-stage.ts';
import { fillRandomCompany } from '../../../../test/random-company.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper } from '../../../../test/test-rows.ts';
import type { Context } from '../../../verbs/context.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashHistory } from '../../cash/history.ts';
import { createCompany } from '../../companies/create.ts';
import { getMonthly, getRunway } from './get-figures.ts';
import { addMonths, endOfMonth } from './months.ts';
import { updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  company_id = (await createCompany(context, { name: 'Table Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const toTransactions = createRowMapper();
/** Amounts are whole units. */
const move = (day: string, amount: number, account = 'bank', currency = 'USD') =>
  ingestTransactions(context, { company_id, transactions: toTransactions([{ day, amount, account, currency }]) });
const hold = (as_of: string, amount: number, connection_id = 'bank', currency = 'USD') =>
  upsertCashBalance(context, { company_id, as_of, balance_cents: amount * 100, currency, connection_id });
const monthly = (months = 4) => getMonthly(context, { company_id, months });
const cells = (line: MonthlyLine | null | undefined) =>
  line && [line.money_out_cents, line.closing_cash_cents, line.net_burn_3m_cents, line.runway_months];
const rows = async (months = 4, currency = 'USD') =>
  (await monthly(months)).months.map(({ flows }) => cells(flows.find((line) => line.currency === currency)));

test('a month has its money out, the cash at its end, the mean of the three months that end with it, and the runway', async () => {
  for (const [day, amount] of [
    ['2026-05-10', -1],
    ['2026-06-10', -5],
    ['2026-07-10', -10],
    ['2026-08-05', -30],
    ['2026-08-06', -20],
    ['2026-09-05', -30],
    ['2026-09-06', -20],
    ['2026-10-05', -30],
    ['2026-10-06', -50],
    ['2026-11-05', -7],
  ] as const)
    await move(day, amount);
  await hold('2026-08-31', 500);
  await hold('2026-09-15', 450);
  await hold('2026-10-31', 340);
  await hold('2026-11-26', 333);
  expect(await rows(6)).toEqual([
    [5_00, null, null, null],
    [10_00, null, null, null],
    [50_00, 500_00, 2167, 23],
    [50_00, 450_00, 3667, 12.2],
    [80_00, 340_00, 60_00, 5.6],
    [7_00, 333_00, null, null],
  ]);
  expect((await monthly()).months.map(({ total }) => cells(total))).toEqual(await rows());
});

test('a month without transactions has a line with its cash, and counts as zero in the mean', async () => {
  await move('2026-07-10', -1);
  await move('2026-08-10', -90);
  await hold('2026-09-01', 300);
  expect(await rows()).toEqual([
    [90_00, null, null, null],
    [0, 300_00, null, null],
    [0, 300_00, 30_00, 10],
    [0, 300_00, null, null],
  ]);
});

test('the months before a main account was known are not in a mean, and no window with them is compared', async () => {
  for (let month = '2025-11'; month <= '2026-10'; month = addMonths(month, 1))
    await move(`${month}-10`, -1_000, 'petty');
  await move('2026-09-01', -200_000, 'main');
  await move('2026-10-01', -200_000, 'main');
  await hold('2026-01-01', 600_000);
  expect(await rows(5)).toEqual([
    [1_000_00, 600_000_00, 1_000_00, 600],
    [1_000_00, 600_000_00, 1_000_00, 600],
    [201_000_00, 600_000_00, null, null],
    [201_000_00, 600_000_00, 201_000_00, 2.9],
    [0, 600_000_00, null, null],
  ]);
  expect((await monthly()).windows).toEqual([{ months: 1, net_burn_cents: 201_000_00, runway_months: 2.9 }]);
});

test('without cash left the runway of a month is 0, and a month that earns has none', async () => {
  for (const month of ['2026-05', '2026-06', '2026-07', '2026-08']) {
    await move(`${month}-10`, -40);
    await move(`${month}-11`, 9);
  }
  await move('2026-09-10', 45);
  await move('2026-10-10', 45);
  await hold('2026-08-31', -50);
  await hold('2026-10-31', 40);
  expect(await rows()).toEqual([
    [40_00, -50_00, 31_00, 0],
    [0, -50_00, 5_67, 0],
    [0, 40_00, -19_67, null],
    [0, 40_00, null, null],
  ]);
});

test('the total has the cash and the mean of all currencies, and is null if one with cash has no rate', async () => {
  for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) await move(`${month}-10`, -100);
  await move('2026-10-11', -10, 'berlin', 'EUR');
  await hold('2026-08-31', 1_000);
  const totals = async () => (await monthly(3)).months.map(({ total }) => cells(total));
  expect(await totals()).toEqual([null, null, null]);
  await runOperation(context, operations.fxRates.put, { base: 'EUR', as_of: '2026-11-25', rates: { USD: '2' } });
  expect(await totals()).toEqual([
    [100_00, 1_000_00, null, null],
    [120_00, 1_000_00, 106_67, 9.3],
    [0, 1_000_00, null, null],
  ]);
  await hold('2026-10-20', 40, 'london', 'GBP');
  const windows = [{ months: 3, net_burn_cents: 100_00, runway_months: 10 }];
  expect(await monthly(3)).toMatchObject({ rates_missing: ['GBP'], windows });
  expect(await totals()).toEqual([null, null, null]);
});

test('a company with cash alone has its cash at the end of each month', async () => {
  await hold('2026-09-30', 12);
  const { months, windows, rates_missing } = await monthly(3);
  expect(months.map(({ covered, total }) => [covered, ...(cells(total) ?? [])])).toEqual([
    [false, 0, 12_00, null, null],
    [false, 0, 12_00, null, null],
    [false, 0, 12_00, null, null],
  ]);
  expect([windows, rates_missing]).toEqual([[], []]);
});

test('the cash at the end of a month is not known while an account with transactions has no balance', async () => {
  await hold('2026-01-01', 500, 'petty');
  for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) await move(`${month}-10`, -1_000, 'operating');
  await move('2026-07-10', -1, 'berlin', 'EUR');
  await hold('2026-09-05', 40, 'berlin', 'EUR');
  await hold('2026-11-15', 9_000, 'operating');
  expect(await rows()).toEqual([
    [1_000_00, null, null, null],
    [1_000_00, null, null, null],
    [1_000_00, null, 1_000_00, null],
    [0, 9_500_00, null, null],
  ]);
  expect((await rows(4, 'EUR')).map((line) => line?.[1])).toEqual([undefined, 40_00, 40_00, 40_00]);
  await runOperation(context, operations.fxRates.put, { base: 'EUR', as_of: '2026-11-25', rates: { USD: '2' } });
  const totals = async () => (await monthly()).months.map(({ total }) => total?.closing_cash_cents);
  expect(await totals()).toEqual([null, null, null, 9_580_00]);
  await hold('2026-08-31', 7_000, 'operating');
  expect(await totals()).toEqual([null, 7_580_00, 7_580_00, 9_580_00]);
});

test('an account without a balance yet is known from that which it replaced, and its type or exclusion ends the doubt', async () => {
  await hold('2026-01-01', 500, 'petty');
  const { id: old } = await createConnection(context, { company_id, provider: 'ledger' });
  for (const month of ['2026-07', '2026-08', '2026-09']) await move(`${month}-10`, -10, old);
  await hold('2026-09-05', 60, old);
  await disconnectConnection(context, { connection_id: old });
  const { id: next } = await createConnection(context, { company_id, provider: 'ledger', replaces: old });
  await move('2026-09-20', -10, next);
  await hold('2026-11-02', 50, next);
  const closing = async () => (await rows()).map((line) => line?.[1]);
  expect(await closing()).toEqual([null, 560_00, 560_00, 550_00]);
  const accounts = [old, next].map((connection_id) => ({ connection_id, account_type: 'restricted' as const }));
  await updateSettings(context, { company_id, accounts });
  expect(await closing()).toEqual([500_00, 500_00, 500_00, 500_00]);
  await updateSettings(context, { company_id, accounts: null, excluded_connections: [old, next] });
  expect(await closing()).toEqual([500_00, 500_00, 500_00, 500_00]);
});

const seeds = [1, 2, 3, 4];

test.each(seeds)(
  'the cash at the end of each month matches the history, and of today cash on hand (seed %i)',
  async (seed) => {
    ({ company_id } = await fillRandomCompany(context, clock, seed));
    const { months } = await monthly(12);
    const { lines, to } = await getCashHistory(context, { company_id, days: 366 });
    const history = new Map(
      lines.flatMap(({ currency, points }) => points.map((one) => [`${one.date} ${currency}`, one])),
    );
    for (const { month, partial, flows } of months) {
      const day = partial ? to : endOfMonth(month);
      for (const currency of ['USD', 'EUR']) {
        const closing = flows.find((line) => line.currency === currency)?.closing_cash_cents ?? null;
        // The cash history contains only known cash.
        if (closing === null && !partial) continue;
        expect([day, currency, closing]).toEqual([
          day,
          currency,
          history.get(`${day} ${currency}`)?.balance_cents ?? null,
        ]);
      }
    }
    expect(history.size).toBeGreaterThan(300);
  },
);

test.each(seeds)(
  'the burn of each month matches that of the rows on a day of the next month (seed %i)',
  async (seed) => {
    const { company_id: filled, ...more } = await fillRandomCompany(context, clock, seed);
    company_id = filled;
    const { months } = await monthly(12);
    let compared = 0;
    for (const { month, partial, flows } of months.slice(2)) {
      const isCovered = months.filter((one) => one.covered && one.month >= addMonths(month, -2) && one.month <= month);
      const now = new Date(`${addMonths(month, 1)}-20T12:00:00Z`);
      const lines = partial || isCovered.length < 3 ? [] : await recomputeStored(context, company_id, { ...more, now });
      for (const flow of flows) {
        const line = lines.find(({ currency }) => currency === flow.currency);
        if (line === undefined && lines.length > 0) continue;
        expect([month, flow.net_burn_3m_cents]).toEqual([month, line?.net_burn_cents ?? null]);
        if (line) compared++;
      }
    }
    expect(compared).toBeGreaterThan(3);
  },
);

test.each(seeds)(
  'the newest complete month and the windows have the burn and the runway of the same months (seed %i)',
  async (seed) => {
    ({ company_id } = await fillRandomCompany(context, clock, seed));
    if (seed % 2 === 0)
      await runOperation(context, operations.fxRates.put, {
        base: 'EUR',
        as_of: '2026-11-25',
        rates: { USD: '1.0842' },
      });
    const { months, windows } = await monthly(12);
    const runway = await getRunway(context, { company_id });
    const newest = months.at(-2);
    const burnOf = (line: { net_burn_3m_cents: number | null } | null | undefined) => line?.net_burn_3m_cents ?? null;
    for (const { currency, net_burn_cents } of runway.lines) {
      const line = newest?.flows.find((one) => one.currency === currency);
      if (line) expect(burnOf(line)).toBe(net_burn_cents);
    }
    if (runway.total) expect(burnOf(newest?.total)).toBe(runway.total.net_burn_cents);
    const expected = [];
    for (const size of [1, 3, 6, 12]) {
      const over = await getRunway(context, { company_id, months: size });
      const line = runway.total
        ? over.total
        : over.lines.find(({ currency }) => currency === runway.headline?.currency);
      if (line?.window.length === size)
        expected.push({ months: size, net_burn_cents: line.net_burn_cents, runway_months: line.runway_months });
    }
    expect(windows).toEqual(expected);
  },
);

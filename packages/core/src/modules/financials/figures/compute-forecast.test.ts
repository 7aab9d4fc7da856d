// Risk: a forecast shows money that the company will not have, or a raise date that is too late.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { addDays } from '../../../time/calendar.ts';
import { computeForecast, type ForecastChange, type ForecastInput } from './compute-forecast.ts';
import { computeRunway } from './compute-runway.ts';

const TODAY = '2026-11-25';

/** Amounts are whole units. */
const forecast = (cash: number, burn: number, changes: ForecastChange[] = [], more: Partial<ForecastInput> = {}) => {
  const input = { today: TODAY, cash: BigInt(cash * 100), net: rational(BigInt(burn * 100)), changes };
  const { months, ...dates } = computeForecast({ ...input, months: 18, leadMonths: 6, ...more });
  return { ...dates, closing: new Map(months.map(({ month, closing }) => [month, Number(closing) / 100])), months };
};
const monthly = (amount: number, from: string, until?: string): ForecastChange => ({
  amount: BigInt(amount * 100),
  every: 'month',
  from,
  until,
});
const once = (amount: number, from: string): ForecastChange => ({ ...monthly(amount, from), every: 'once' });

test('1,200,000 at a burn of 100,000 a month lasts a year, and a raise that takes six months begins in May', () => {
  const { closing, months, ...dates } = forecast(1_200_000, 100_000);
  expect(dates).toEqual({ cashOutDate: '2027-11-25', runwayMonths: 12, raiseByDate: '2027-05-25' });
  expect(months).toHaveLength(18);
  expect(months.map(({ change }) => change)).toEqual(Array.from({ length: 18 }, () => 0n));
  expect([months[0]?.month, closing.get('2026-11'), closing.get('2026-12')]).toEqual([
    '2026-11',
    1_183_572.56,
    1_081_722.42,
  ]);
});

test('two people from January on and a raise in March', () => {
  const changes = [monthly(-45_000, '2027-01'), once(1_000_000, '2027-03')];
  const { closing, months, ...dates } = forecast(1_200_000, 100_000, changes);
  expect([closing.get('2027-01'), closing.get('2027-03')]).toEqual([934_039.71, 1_652_966.18]);
  expect(dates).toEqual({ cashOutDate: '2028-03-11', runwayMonths: 15.5, raiseByDate: '2027-09-11' });
  // 45,000 × 31 ÷ 30.436875
  expect(months.slice(0, 5).map(({ change }) => change)).toEqual([0n, 0n, -4_583_256n, -4_139_715n, 95_416_744n]);
});

test('the day to raise by may have passed', () => {
  expect(forecast(300_000, 100_000)).toMatchObject({ cashOutDate: '2027-02-24', raiseByDate: '2026-08-24' });
});

test('more comes in than goes out: cash grows, without a date', () => {
  const { closing, months, ...dates } = forecast(1_200_000, -10_000);
  expect(dates).toEqual({ cashOutDate: null, runwayMonths: null, raiseByDate: null });
  expect([months.at(-1)?.month, closing.get('2028-04')]).toEqual(['2028-04', 1_371_502.49]);
});

test('a raise after the cash has run out comes too late', () => {
  const { closing, ...dates } = forecast(300_000, 100_000, [once(1_000_000, '2027-06')]);
  expect(dates).toMatchObject({ cashOutDate: '2027-02-24', raiseByDate: '2026-08-24' });
  expect(closing.get('2027-06')).toBeGreaterThan(0);
});

test.each<[string, number, ForecastChange[], string | null]>([
  ['cash that is negative already, whatever comes in', -1, [once(1_000_000, '2026-11')], TODAY],
  ['no cash at all', 0, [once(1_000_000, '2026-11')], TODAY],
  ['a payment of this month that the cash does not cover', 100, [once(-101, '2026-11')], TODAY],
  ['a payment of this month that takes all of the cash', 100, [once(-100, '2026-11')], TODAY],
  ['a payment on the first of next month', 100_000, [once(-100_000, '2026-12')], '2026-11-30'],
  ['a monthly cost since January counts from today', 100, [monthly(-100, '2026-01')], '2026-12-10'],
  ['a monthly cost of this month counts from today', 100, [monthly(-100, '2026-11')], '2026-12-10'],
  ['a monthly cost that has ended', 100, [monthly(-1_000, '2026-01', '2026-10')], '2026-12-25'],
  ['a monthly cost of December alone', 1_000, [monthly(-500, '2026-12', '2026-12')], '2027-04-23'],
  ['income that covers the burn', 100, [monthly(100, '2026-12')], null],
  ['120 months', 12_000, [], '2036-11-24'],
  ['more than 120 months', 12_010, [], null],
])('at a burn of 100, %s', (_, cash, changes, expected) => {
  expect(forecast(cash, 100, changes).cashOutDate).toBe(expected);
});

test.each<[string, number, ForecastChange[], number]>([
  ['no cash', 0, [], 0],
  ['twice the burn from today', 1_000, [monthly(-100, '2026-11')], 5],
  // Today until 30 November: 5 of 30.436875 days.
  ['a payment on the first of next month that takes more than all', 1_000, [once(-2_000, '2026-12')], 0.1],
  ['a payment of today that takes more than all', 1_000, [once(-2_000, '2026-11')], 0],
])('at a burn of 100, %s', (_, cash, changes, expected) => {
  expect(forecast(cash, 100, changes).runwayMonths).toBe(expected);
});

test.each<[number, string]>([
  [0, '2027-08-31'],
  [2, '2027-06-30'],
  [6, '2027-02-28'],
])('%i months before 31 August is %s', (leadMonths, expected) => {
  expect(forecast(100_000, 100, [once(-100_000, '2027-09')], { leadMonths }).raiseByDate).toBe(expected);
});

const cents = fc.bigInt(-(10n ** 9n), 10n ** 9n);

test('without changes, cash runs out on the day and after the months that runway names', () => {
  fc.assert(
    fc.property(cents, fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 12n), (cash, total, count) => {
      const net = rational(total, count);
      const { cashOutDate, runwayMonths } = computeForecast({
        today: TODAY,
        cash,
        net,
        changes: [],
        months: 1,
        leadMonths: 0,
      });
      const flags = { stale: false, mixed_currency: false, unexplained: false };
      const fallback = { net, basis: 'balance_delta' as const };
      const data = { window: [], hasTransactions: true, burn: undefined, fallback };
      const line = computeRunway({ currency: 'USD', cash, today: TODAY, flags, ...data });
      const isShown = (line.runway_months ?? 0) <= 120;
      expect([cashOutDate, runwayMonths]).toEqual(isShown ? [line.cash_out_date, line.runway_months] : [null, null]);
    }),
  );
});

const monthFrom = (least: number) =>
  fc.integer({ min: least, max: 40 }).map((i) => new Date(Date.UTC(2026, 10 + i)).toISOString().slice(0, 7));
const change = fc.oneof(
  fc.record({ amount: cents, every: fc.constant('once' as const), from: monthFrom(0), until: fc.constant(undefined) }),
  fc.record({
    amount: cents,
    every: fc.constant('month' as const),
    from: monthFrom(-5),
    until: fc.option(monthFrom(-5), { nil: undefined }),
  }),
);

test('the cash and the changes of each month are the sums of its days', () => {
  const all = fc.tuple(cents, cents, fc.bigInt(1n, 12n), fc.array(change, { maxLength: 20 }));
  fc.assert(
    fc.property(all, ([cash, total, count, changes]) => {
      const net = rational(total, count);
      const { months } = computeForecast({ today: TODAY, cash, net, changes, months: 36, leadMonths: 6 });
      // A month has 30,436,875 parts, and a day 1,000,000 of them.
      const inCents = (parts: bigint): bigint => roundHalfEven(rational(parts, 30_436_875n * count));
      const ends = new Map<string, { added: bigint; cash: bigint }>();
      let balance = cash * 30_436_875n * count;
      for (let day = TODAY; day < '2029-11-01'; day = addDays(day, 1)) {
        const month = day.slice(0, 7);
        let added = ends.get(month)?.added ?? 0n;
        const before = added;
        for (const { amount, every, from, until = '9999-12' } of changes) {
          if (every === 'once' && (day === `${from}-01` || (day === TODAY && from === month)))
            added += amount * 30_436_875n * count;
          if (every === 'month' && day !== TODAY && from <= month && month <= until)
            added += amount * 1_000_000n * count;
        }
        balance += added - before - (day === TODAY ? 0n : total * 1_000_000n);
        ends.set(month, { added, cash: balance });
      }
      expect(months).toEqual(
        [...ends].map(([month, end]) => ({ month, change: inCents(end.added), closing: inCents(end.cash) })),
      );
    }),
  );
});

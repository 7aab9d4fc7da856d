// Risk: the answer to a plan is of another currency, contradicts the chart, or the chart ends before the cash does.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { sampleLine } from '../test/sample-line.ts';
import { type Change, formatChanges } from './changes.view.ts';
import {
  answerOf,
  changeText,
  comparedRows,
  type Forecast,
  forecastCurrencies,
  forecastLines,
  planOf,
} from './what-if.view.ts';

const hires: Change = { label: 'Two "engineers", & more', amount_cents: -4_500_000, every: 'month', from: '2027-01' };
const round: Change = { label: 'Seed', amount_cents: 100_000_000, every: 'once', from: '2027-03' };

test('a change is told with its sign and its months', () => {
  expect(changeText(hires, 'USD')).toBe('-$45,000.00 a month from Jan 2027');
  expect(changeText({ ...hires, until: '2027-06' }, 'USD')).toBe('-$45,000.00 a month from Jan 2027 to Jun 2027');
  expect(changeText(round, 'USD')).toBe('+$1,000,000.00 in Mar 2027');
});

/** Month ends from November 2026 on. */
const forecast = (cents: readonly number[], fields: Partial<Forecast> = {}) =>
  partial<Forecast>({
    currency: 'USD',
    months: cents.map((closing_cents, i) => ({
      month: new Date(Date.UTC(2026, 10 + i)).toISOString().slice(0, 7),
      change_cents: 0,
      closing_cents,
    })),
    cash_out_date: null,
    raise_by_date: null,
    runway_months: null,
    ...fields,
  });
const textsOf = (before: Forecast, after: Forecast) =>
  answerOf(before, after).map((figure) => `${figure.name}: ${figure.before} > ${figure.after}`);

test('the answer has months and day, without and with the changes', () => {
  const before = forecast([], { runway_months: 25.8, cash_out_date: '2029-01-24' });
  const after = forecast([], { runway_months: 23, cash_out_date: '2028-11-01' });
  expect(textsOf(before, after)).toEqual(['Runway: 25.8 > 23.0 months', 'cash out: 24 Jan 2029 > 1 Nov 2028']);
  expect(textsOf(before, before)).toEqual(['Runway: 25.8 months > 25.8 months', 'cash out: 24 Jan 2029 > 24 Jan 2029']);
  expect(textsOf(before, forecast([]))).toEqual([
    'Runway: 25.8 months > 10+ years',
    'cash out: 24 Jan 2029 > not in 10 years',
  ]);
});

test('the table has the day to raise, now once it has passed, and the cash in a year', () => {
  const rows = (count: number, step: number) => Array.from({ length: count }, (_, i) => (i + 1) * step);
  const before = forecast(rows(36, 100), { raise_by_date: '2026-08-24' });
  const after = forecast(rows(36, -100), { raise_by_date: '2027-03-01' });
  expect(comparedRows(before, after, '2026-11-25').map((row) => Object.values(row))).toEqual([
    ['Raise by (6 months before)', 'Now', '1 Mar 2027'],
    ['Cash at the end of Nov 2027', '$13.00', '-$13.00'],
  ]);
  expect(comparedRows(forecast([5]), forecast([-7]), '2026-11-25').map((row) => Object.values(row))).toEqual([
    ['Raise by (6 months before)', 'Not in 10 years', 'Not in 10 years'],
    ['Cash at the end of Nov 2026', '$0.05', '-$0.07'],
  ]);
});

test('the chart ends a month after the later cash-out date, and a line once it is below zero for good', () => {
  const before = forecast([50, -10, -70, -130, -190, -250], { cash_out_date: '2026-12-20' });
  const after = forecast([60, 20, -20, 10, -30, -70], { cash_out_date: '2027-01-15' });
  const { rows, ...lines } = forecastLines(before, after);
  expect(rows.map(({ month }) => month)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
  expect(lines).toEqual({ before: [50, -10, null, null], after: [60, 20, -20, 10] });
  expect(rows[2]?.tip).toEqual([
    ['Without changes', '-$0.70'],
    ['With changes', '-$0.20'],
  ]);
  const long = Array.from({ length: 36 }, () => 1);
  expect(forecastLines(forecast(long), forecast(long)).rows).toHaveLength(18);
  expect(forecastLines(forecast(long, { cash_out_date: '2032-01-01' }), forecast(long)).rows).toHaveLength(36);
});

test('a forecast has the currency of the total, or is of one currency with cash and burn', () => {
  type Runway = Parameters<typeof forecastCurrencies>[0];
  const lines = [
    sampleLine(),
    sampleLine({ currency: 'EUR' }),
    sampleLine({ currency: 'JPY', status: 'no_cash_data' }),
    sampleLine({ currency: 'CHF', basis: null }),
  ];
  const none = partial<Runway>({ total: null, lines });
  expect(forecastCurrencies(none, undefined)).toEqual(['USD', 'EUR']);
  const total = partial<Runway>({ total: partial<NonNullable<Runway['total']>>(sampleLine()), lines });
  expect(forecastCurrencies(total, undefined)).toEqual(['USD']);
  // Changes made without a total keep their currency.
  expect(forecastCurrencies(total, 'EUR')).toEqual(['USD', 'EUR']);
  expect(forecastCurrencies(total, 'XXX')).toEqual(['USD']);
});

test('changes in a currency without a forecast are left out, and not taken for amounts of another', () => {
  type Runway = Parameters<typeof planOf>[0];
  const runway = partial<Runway>({ total: null, lines: [sampleLine(), sampleLine({ currency: 'EUR' })] });
  const text = formatChanges([hires]);
  expect(planOf(runway, text, 'EUR')).toMatchObject({ currency: 'EUR', changes: [hires], isOfOther: false });
  expect(planOf(runway, text, 'GBP')).toMatchObject({ currency: undefined, changes: [], isOfOther: true });
  expect(planOf(runway, '', 'GBP')).toMatchObject({ changes: [], isOfOther: false });
  expect(planOf(runway, text, undefined)).toMatchObject({ changes: [hires], isOfOther: false });
});

import { formatMoney } from '@finhook/contracts/currency';
import { amountIn, bigOf } from '../../../lib/exact-cents.ts';
import { formatDay, formatMonth } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from '../plots/plot.tsx';
import { lastingText } from '../runway.view.ts';
import { type Change, parseChanges } from './changes.view.ts';

export type Forecast = Outputs['financials']['forecast'];
export type Runway = Outputs['financials']['runway'];

/** `-$45,000.00 a month from Jan 2027 to Mar 2027`. */
export function changeText({ amount_cents, every, from, until }: Change, currency: string): string {
  const amount = `${amount_cents > 0 ? '+' : ''}${formatMoney(amount_cents, currency)}`;
  if (every === 'once') return `${amount} in ${formatMonth(from)}`;
  return `${amount} a month from ${formatMonth(from)}${until == null ? '' : ` to ${formatMonth(until)}`}`;
}

/** The currencies that a forecast can have: that of the total, else each with cash and burn. `wanted` is that of the changes. */
export function forecastCurrencies({ total, lines }: Runway, wanted: string | undefined): string[] {
  const known = lines.filter(({ status, basis }) => status !== 'no_cash_data' && basis !== null);
  const codes = known.map(({ currency }) => currency);
  return total === null
    ? codes
    : [total.currency, ...codes.filter((code) => code === wanted && code !== total.currency)];
}

interface Plan {
  currencies: readonly string[];
  /** The currency of the changes. */
  currency: string | undefined;
  changes: Change[];
  /** The changes of the address are left out, because they are in a currency that has no forecast. */
  isOfOther: boolean;
}

/** The plan of the address: `text` are its changes, in the currency `wanted`. */
export function planOf(runway: Runway, text: string, wanted: string | undefined): Plan {
  const currencies = forecastCurrencies(runway, wanted);
  const currency = currencies.find((code) => code === wanted);
  const given = parseChanges(text);
  const isOfOther = given.length > 0 && wanted !== undefined && currency === undefined;
  return { currencies, currency, changes: isOfOther ? [] : given, isOfOther };
}

/** A figure without and with the changes. */
export interface Compared {
  name: string;
  before: string;
  after: string;
}

const LATER = 'not in 10 years';

/** The figures of the line on top: how long the cash lasts, and until when. */
export function answerOf(before: Forecast, after: Forecast): Compared[] {
  const day = (date: string | null): string => (date === null ? LATER : formatDay(date));
  const was = lastingText(before.runway_months);
  // `25.8 → 23.1 months` needs its unit once.
  const isOneUnit = before.runway_months !== null && after.runway_months !== null;
  const is = lastingText(after.runway_months);
  return [
    { name: 'Runway', before: isOneUnit && was !== is ? was.replace(' months', '') : was, after: is },
    { name: 'cash out', before: day(before.cash_out_date), after: day(after.cash_out_date) },
  ];
}

const YEAR = 12;

/** The rows of the table. */
export function comparedRows(before: Forecast, after: Forecast, today: string): Compared[] {
  const raise = (date: string | null): string =>
    date === null ? 'Not in 10 years' : date <= today ? 'Now' : formatDay(date);
  const rows = [
    { name: 'Raise by (6 months before)', before: raise(before.raise_by_date), after: raise(after.raise_by_date) },
  ];
  const at = Math.min(YEAR, after.months.length - 1);
  const [was, is] = [before.months[at], after.months[at]];
  if (was === undefined || is === undefined) return rows;
  const money = (month: Forecast['months'][number]): string => formatMoney(closingOf(month), after.currency ?? 'USD');
  return [...rows, { name: `Cash at the end of ${formatMonth(is.month)}`, before: money(was), after: money(is) }];
}

function closingOf(month: Forecast['months'][number]): bigint {
  const { cents, digits } = amountIn(month, 'closing');
  return bigOf(cents, digits);
}

/** Months of a chart on which the cash does not run out. */
const ENDLESS = 18;

/** The number of months that the chart shows: until the later cash-out date, and one more. */
function monthsShown(forecasts: readonly Forecast[]): number {
  const counts = forecasts.map(({ months, cash_out_date }) => {
    const at = months.findIndex(({ month }) => cash_out_date?.startsWith(month) === true);
    return cash_out_date === null ? ENDLESS : at === -1 ? months.length : at + 2;
  });
  return Math.max(...counts);
}

/** The values up to the first one from which all are negative: a line ends once it has crossed zero for good. */
function untilOut(values: readonly number[]): (number | null)[] {
  const end = values.findLastIndex((value) => value >= 0) + 1;
  return values.map((value, i) => (i <= end ? value : null));
}

interface ForecastRow extends PlotRow {
  month: string;
}

export interface ForecastLines {
  rows: ForecastRow[];
  before: (number | null)[];
  after: (number | null)[];
}

/** The cash at the end of each month that the chart shows, without and with the changes. */
export function forecastLines(before: Forecast, after: Forecast): ForecastLines {
  const count = monthsShown([before, after]);
  const [was, is] = [before, after].map(({ months }) => months.slice(0, count).map(closingOf));
  const money = (value: bigint | undefined): string =>
    value === undefined ? '–' : formatMoney(value, after.currency ?? 'USD');
  return {
    rows: after.months.slice(0, count).map(({ month }, i) => ({
      month,
      label: formatMonth(month),
      tip: [
        ['Without changes', money(was?.[i])],
        ['With changes', money(is?.[i])],
      ],
    })),
    before: untilOut((was ?? []).map(Number)),
    after: untilOut((is ?? []).map(Number)),
  };
}

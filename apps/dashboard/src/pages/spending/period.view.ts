import { formatLongMonth } from '../../lib/format-time.ts';
import { daysOf, MONTH, monthAfter, monthCount, periodNames } from '../../lib/periods.ts';

export const periods = [
  ['this_month', periodNames.this_month],
  ['last_month', periodNames.last_month],
  ['last_quarter', periodNames.last_quarter],
  ['last_12_months', 'Last 12 months'],
  ['custom', 'Custom'],
] as const;
export const DEFAULT_PERIOD = 'last_month';

export const comparisons = [
  ['previous', 'Previous period'],
  ['year_before', 'Same period last year'],
  ['none', 'None'],
] as const;
export const DEFAULT_COMPARISON = 'previous';

/** The oldest month that figures can have, counted back from the current one. */
const OLDEST = 59;
const YEAR = 12;

/** Months (`YYYY-MM`), both included. */
export interface MonthRange {
  from: string;
  to: string;
}

interface PeriodSearch {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The months of a period; a month that is none is as absent. `today` is the day (`YYYY-MM-DD`) in the company's time zone. */
export function rangeOf({ period, from, to }: PeriodSearch, today: string): MonthRange {
  const current = today.slice(0, 7);
  const last = monthAfter(current, -1);
  switch (period) {
    case 'this_month':
    case 'last_quarter':
      return monthsOf(daysOf(period, today));
    case 'last_12_months':
      return { from: monthAfter(current, -YEAR), to: last };
    case 'custom': {
      const [first, end] = [from, to].map((month) => (month !== undefined && MONTH.test(month) ? month : undefined));
      return { from: first ?? end ?? last, to: end ?? first ?? last };
    }
    default:
      return { from: last, to: last };
  }
}

/** The months of the days. */
function monthsOf({ from, to }: MonthRange): MonthRange {
  return { from: from.slice(0, 7), to: to.slice(0, 7) };
}

/** The months that may be chosen. */
export function knownRange(today: string): MonthRange {
  const current = today.slice(0, 7);
  return { from: monthAfter(current, -OLDEST), to: current };
}

/** The number of months since one, the current one included; undefined if the service does not know it. */
export function monthsSince(month: string, today: string): number | undefined {
  const { from, to } = knownRange(today);
  return month < from || month > to ? undefined : monthCount(month, to);
}

/** The twelve months that end with the period. */
export function trendRange({ to }: MonthRange, today: string): MonthRange {
  const from = monthAfter(to, 1 - YEAR);
  const { from: oldest } = knownRange(today);
  return { from: from < oldest ? oldest : from, to };
}

/** `in October`, `in October 2025`, or `from July to September`. The year is named if it is not that of `today`. */
export function spokenMonths({ from, to }: MonthRange, today: string): string {
  const year = today.slice(0, 4);
  const name = (month: string): string =>
    from.startsWith(year) && to.startsWith(year) ? formatLongMonth(month).replace(/ \d+$/, '') : formatLongMonth(month);
  return from === to ? `in ${name(to)}` : `from ${name(from)} to ${name(to)}`;
}

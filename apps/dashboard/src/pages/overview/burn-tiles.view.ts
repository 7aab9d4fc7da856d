import { type Amount, amountIn, bigOf } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import type { Outputs } from '../../lib/trpc.ts';

type BurnLine = Outputs['financials']['burn']['lines'][number];

export type BurnKind = 'net' | 'gross';

interface BurnMonth extends Amount {
  month: string;
}

export function baseCurrencyFirst<Line extends { currency: string }>(
  lines: readonly Line[],
  base: string,
): readonly Line[] {
  const rank = ({ currency }: Line): number => (currency === base ? 0 : 1);
  return lines.toSorted((one, other) => rank(one) - rank(other));
}

export function burnFigures(line: BurnLine, kind: BurnKind) {
  return {
    mean: amountIn(line, `${kind}_burn`),
    least: amountIn(line, `${kind}_burn_min`),
    most: amountIn(line, `${kind}_burn_max`),
    months: line.months.map((month): BurnMonth => ({ month: month.month, ...amountIn(month, `${kind}_burn`) })),
  };
}

export function trendOf(months: readonly BurnMonth[]): string | undefined {
  const [before, last] = months.slice(-2);
  if (before === undefined || last === undefined) return undefined;
  const change = bigOf(last.cents, last.digits) - bigOf(before.cents, before.digits);
  const [now, then] = [formatMonth(last.month), formatMonth(before.month)];
  if (change === 0n) return `Unchanged in ${now} from ${then}`;
  return `${change > 0n ? 'Up' : 'Down'} in ${now} from ${then}`;
}

/** `3-month average (Aug–Oct)`. */
export function windowText(window: readonly string[]): string {
  const [first = '', last = ''] = [window[0], window.at(-1)].map((month) => month && formatMonth(month).split(' ')[0]);
  return `${window.length}-month average (${first === last ? first : `${first}–${last}`})`;
}

const FULL = 10_000n;

/** Each month's bar in percent of the largest, with the sign of the amount. */
export function barShares(months: readonly BurnMonth[]): number[] {
  const values = months.map(({ cents, digits }) => bigOf(cents, digits));
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  const largest = values.map(size).reduce((a, b) => (b > a ? b : a), 0n);
  return values.map((value) => (largest === 0n ? 0 : Number((value * FULL) / largest) / 100));
}

import { bigOf, type Cents } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import type { Outputs } from '../../lib/trpc.ts';

type BurnLine = Outputs['financials']['burn']['lines'][number];

export type BurnKind = 'net' | 'gross';

interface BurnMonth {
  month: string;
  cents: Cents;
  digits: string | undefined;
}

interface BurnFigures {
  mean: Omit<BurnMonth, 'month'>;
  least: Omit<BurnMonth, 'month'>;
  most: Omit<BurnMonth, 'month'>;
  months: BurnMonth[];
}

export function baseCurrencyFirst<Line extends { currency: string }>(
  lines: readonly Line[],
  base: string,
): readonly Line[] {
  const rank = ({ currency }: Line): number => (currency === base ? 0 : 1);
  return lines.toSorted((one, other) => rank(one) - rank(other));
}

export function burnFigures(line: BurnLine, kind: BurnKind): BurnFigures {
  const isNet = kind === 'net';
  return {
    mean: isNet
      ? { cents: line.net_burn_cents, digits: line.net_burn_string }
      : { cents: line.gross_burn_cents, digits: line.gross_burn_string },
    least: isNet
      ? { cents: line.net_burn_min_cents, digits: line.net_burn_min_string }
      : { cents: line.gross_burn_min_cents, digits: line.gross_burn_min_string },
    most: isNet
      ? { cents: line.net_burn_max_cents, digits: line.net_burn_max_string }
      : { cents: line.gross_burn_max_cents, digits: line.gross_burn_max_string },
    months: line.months.map((month) =>
      isNet
        ? { month: month.month, cents: month.net_burn_cents, digits: month.net_burn_string }
        : { month: month.month, cents: month.gross_burn_cents, digits: month.gross_burn_string },
    ),
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

/** `Mean of Aug 2026 – Oct 2026`; a single month has no range. */
export function windowText(window: readonly string[]): string {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return `${formatMonth(first)} only`;
  return `Average of ${formatMonth(first)} – ${formatMonth(last)}`;
}

const FULL = 10_000n;

/** Each month's bar in percent of the largest, with the sign of the amount. */
export function barShares(months: readonly BurnMonth[]): number[] {
  const values = months.map(({ cents, digits }) => bigOf(cents, digits));
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  const largest = values.map(size).reduce((a, b) => (b > a ? b : a), 0n);
  return values.map((value) => (largest === 0n ? 0 : Number((value * FULL) / largest) / 100));
}

import { type Amount, amountIn, bigOf, exactOf } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import type { Outputs } from '../../lib/trpc.ts';

type Burn = Outputs['financials']['burn'];
type BurnLine = Burn['lines'][number];

export function baseCurrencyFirst<Line extends { currency: string }>(
  lines: readonly Line[],
  base: string,
): readonly Line[] {
  const rank = ({ currency }: Line): number => (currency === base ? 0 : 1);
  return lines.toSorted((one, other) => rank(one) - rank(other));
}

/** Exact minor units as an amount. */
const amountOf = (value: bigint): Amount => ({ cents: null, digits: `${value}` });

export interface BurnFigures {
  currency: string;
  /** Undefined if the figures are of all currencies. */
  rowsIn: string | undefined;
  net: Amount;
  /** Means of the window. */
  moneyIn: Amount;
  moneyOut: Amount;
  last: { month: string; net: Amount } | undefined;
}

function figuresOf(line: BurnLine, rowsIn: string | undefined): BurnFigures {
  const [net, gross] = [amountIn(line, 'net_burn'), amountIn(line, 'gross_burn')];
  const last = line.months.at(-1);
  return {
    currency: line.currency,
    rowsIn,
    net,
    moneyIn: amountOf(bigOf(gross.cents, gross.digits) - bigOf(net.cents, net.digits)),
    moneyOut: gross,
    last: last && { month: last.month, net: amountIn(last, 'net_burn') },
  };
}

/** The burn of all currencies, if they have a total; else that of each, the base currency first. */
export function burnFigures({ total, lines }: Burn, base: string): BurnFigures[] {
  if (total !== null) return [figuresOf(total, lines.length > 1 ? undefined : total.currency)];
  return baseCurrencyFirst(lines, base).map((line) => figuresOf(line, line.currency));
}

type Monthly = Outputs['financials']['monthly'];

/** The mean of the three months before those of the window; undefined if they are not known. */
export function burnBefore(
  { months }: Monthly,
  window: readonly string[],
  { currency, rowsIn }: Pick<BurnFigures, 'currency' | 'rowsIn'>,
): { months: string[]; net: Amount } | undefined {
  const end = months.findIndex(({ month }) => month === window[0]) - 1;
  const last = months[end];
  const line = rowsIn === undefined ? last?.total : last?.flows.find((flow) => flow.currency === currency);
  if (line == null || exactOf(line.net_burn_3m_cents, line.net_burn_3m_string) === null) return undefined;
  return { months: months.slice(end - 2, end + 1).map(({ month }) => month), net: amountIn(line, 'net_burn_3m') };
}

const short = (month: string): string => formatMonth(month).split(' ')[0] ?? '';

/** `Aug–Oct 2026`, `Dec 2025–Feb 2026`, or one month. */
export function monthsText(months: readonly string[]): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return formatMonth(first);
  return `${first.slice(0, 4) === last.slice(0, 4) ? short(first) : formatMonth(first)}–${formatMonth(last)}`;
}

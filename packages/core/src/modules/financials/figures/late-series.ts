import { openTotal, type RateView } from '../../fx-rates/convert.ts';
import type { MonthFlow } from './compute-burn.ts';
import type { FigureRules } from './figure-rules.ts';

/** A series that replaces none and whose history begins after the first month that was read, with its own sums. */
export interface LateSeries {
  connectionId: string;
  /** The month of its first row. */
  firstMonth: string;
  /** Its first month that is known whole. */
  knownFrom: string | undefined;
  flows: MonthFlow[];
}

/** What tells in which months the accounts of a company were known. */
export interface KnownAccounts {
  cash: RateView;
  rules: Pick<FigureRules, 'cardConnections'>;
  flows: readonly MonthFlow[];
  late: readonly LateSeries[];
  /** The months with payments of cards that count. */
  paidCardsIn: ReadonlySet<string>;
}

/**
 * Whether the months before a late series was known may be dropped. Not for a credit card whose bills were counted in them:
 * they are what was spent.
 */
function dropsMonths(
  { connectionId, firstMonth }: LateSeries,
  months: readonly string[],
  { rules, paidCardsIn }: KnownAccounts,
): boolean {
  const isCard = rules.cardConnections.includes(connectionId);
  return !isCard || !months.some((month) => month < firstMonth && paidCardsIn.has(month));
}

/** A series with at least one tenth of the money out is a main account. */
const MAIN_SHARE = 10n;

/**
 * Drops the months in which a main account was not known yet: they would count as cheap. Which accounts are main ones is
 * told by the money out of all of the months: in the base currency, of which the others count only if all of them have a
 * rate.
 */
export function knownMonths(months: readonly string[], known: KnownAccounts): string[] {
  const { cash, flows } = known;
  const candidates = flows.filter(({ month }) => months.includes(month));
  const { conversion } = openTotal(
    cash,
    candidates.map(({ moneyOut, currency }) => ({ amount: moneyOut, currency })),
  );
  const inOne = ({ moneyOut, currency }: MonthFlow): bigint =>
    conversion?.convert(moneyOut, currency) ?? (currency === cash.baseCurrency ? moneyOut : 0n);
  const outOf = (all: readonly MonthFlow[]): bigint =>
    all.filter(({ month }) => months.includes(month)).reduce((sum, flow) => sum + inOne(flow), 0n);
  const total = outOf(flows);
  const isMain = (series: LateSeries): boolean => {
    const out = outOf(series.flows);
    return out > 0n && out * MAIN_SHARE >= total;
  };
  const main = known.late.filter((series) => dropsMonths(series, months, known) && isMain(series));
  return months.filter((month) => main.every(({ knownFrom = month }) => month >= knownFrom));
}

/** Does with the sums of each series, by its own rows, what is done with those of all. */
export function adjustSeries<T extends { connectionId: string }>(
  late: readonly LateSeries[],
  rows: readonly T[],
  adjust: (flows: readonly MonthFlow[], rows: readonly T[]) => MonthFlow[],
): LateSeries[] {
  return late.map((series) => {
    const own = rows.filter(({ connectionId }) => connectionId === series.connectionId);
    return { ...series, flows: adjust(series.flows, own) };
  });
}

import { createBaseConversion, type RateView } from '../../fx-rates/convert.ts';
import type { MonthFlow } from './compute-burn.ts';
import type { FigureRules } from './figure-rules.ts';

/** A series that replaces none and whose history begins after the first month, with its own sums. */
export interface LateSeries {
  connectionId: string;
  firstMonth: string;
  knownFrom: string | undefined;
  flows: MonthFlow[];
}

export interface KnownAccounts {
  cash: RateView;
  rules: Pick<FigureRules, 'cardConnections'>;
  flows: readonly MonthFlow[];
  late: readonly LateSeries[];
  paidCardsIn: ReadonlySet<string>;
}

/** Returns false for a credit card whose bills count in the months before its first row: they are its spending. */
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

/** Drops the months in which a main account was not known yet, because their burn would be too low. */
export function knownMonths(months: readonly string[], known: KnownAccounts): string[] {
  const { cash, flows } = known;
  const candidates = flows.filter(({ month }) => months.includes(month));
  const { conversion } = createBaseConversion(
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

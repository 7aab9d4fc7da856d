import type { BurnLine } from '@finhook/contracts';
import {
  compareBigInts,
  exactCentsOf,
  mean,
  median,
  type Rational,
  roundHalfEven,
} from '../../../kernel/exact-arithmetic.ts';

/** Sums of one month and currency, in minor units; both sides positive, excluded rows separate. */
export interface MonthFlow {
  month: string;
  currency: string;
  moneyIn: bigint;
  moneyOut: bigint;
  excludedIn: bigint;
  excludedOut: bigint;
  /** The part of what is excluded that is a transfer: by its category, as a payment of a card, or in a pair. */
  transferIn: bigint;
  transferOut: bigint;
  transactions: number;
}

export interface Burn {
  currency: string;
  months: { month: string; net: bigint; gross: bigint }[];
  /** Means over the window. */
  net: Rational;
  gross: Rational;
}

/**
 * Burn per currency over the window's months, by currency code. A month without transactions counts as zero; a currency
 * without any in the window has no line. An empty window returns no lines.
 */
export function computeBurn(flows: readonly MonthFlow[], window: readonly string[]): Burn[] {
  const inWindow = flows.filter(({ month }) => window.includes(month));
  const byCurrency = Map.groupBy(inWindow, ({ currency }) => currency);
  return [...byCurrency]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, members]) => {
      const byMonth = new Map(members.map((flow) => [flow.month, flow]));
      const months = window.map((month) => {
        const { moneyIn = 0n, moneyOut = 0n } = byMonth.get(month) ?? {};
        return { month, net: moneyOut - moneyIn, gross: moneyOut };
      });
      const [net, gross] = [mean(months.map((month) => month.net)), mean(months.map((month) => month.gross))];
      return { currency, months, net, gross };
    });
}

export function toBurnLine({ currency, months, net, gross }: Burn): BurnLine {
  const [nets, grosses] = [months.map((month) => month.net), months.map((month) => month.gross)];
  const [sortedNets, sortedGrosses] = [nets.toSorted(compareBigInts), grosses.toSorted(compareBigInts)];
  return {
    currency,
    ...exactCentsOf('net_burn', roundHalfEven(net)),
    ...exactCentsOf('net_burn_median', roundHalfEven(median(nets))),
    ...exactCentsOf('net_burn_min', sortedNets[0]),
    ...exactCentsOf('net_burn_max', sortedNets.at(-1)),
    net_burn_stddev_cents: sampleDeviation(nets),
    ...exactCentsOf('gross_burn', roundHalfEven(gross)),
    ...exactCentsOf('gross_burn_median', roundHalfEven(median(grosses))),
    ...exactCentsOf('gross_burn_min', sortedGrosses[0]),
    ...exactCentsOf('gross_burn_max', sortedGrosses.at(-1)),
    months: months.map((month) => ({
      month: month.month,
      ...exactCentsOf('net_burn', month.net),
      ...exactCentsOf('gross_burn', month.gross),
    })),
  };
}

/** For the band of a plot; in doubles, because a root is not a fraction. */
function sampleDeviation(values: readonly bigint[]): number | null {
  if (values.length < 2) return null;
  const { n, d } = mean(values);
  const squares = values.reduce((sum, value) => sum + (value * d - n) ** 2n, 0n);
  const deviation = Math.round(Math.sqrt(Number(squares) / (values.length - 1)) / Number(d));
  return Number.isSafeInteger(deviation) ? deviation : null;
}

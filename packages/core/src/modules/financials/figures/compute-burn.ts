import type { BurnLine } from '@finhook/contracts';
import {
  compareBigInts,
  exactCentsOf,
  mean,
  median,
  type Rational,
  rational,
  roundHalfEven,
} from '../../../input/exact-arithmetic.ts';

/** Sums of one month and currency, in minor units; both sides positive, excluded rows separate. */
export interface MonthFlow {
  month: string;
  currency: string;
  moneyIn: bigint;
  moneyOut: bigint;
  excludedIn: bigint;
  excludedOut: bigint;
  /** The transfers in `excludedIn`: by class, as a payment of a card, or in a pair. */
  transferIn: bigint;
  transferOut: bigint;
  transactions: number;
}

export interface Burn {
  currency: string;
  parts: bigint;
  months: { month: string; net: bigint; gross: bigint }[];
  net: Rational;
  gross: Rational;
}

/** By currency code. A month without transactions counts as zero. Flows are in minor units, or in `parts` of them. */
export function computeBurn(flows: readonly MonthFlow[], window: readonly string[], parts = 1n): Burn[] {
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
      const meanOf = (values: bigint[]): Rational => inUnits(mean(values), parts);
      const [net, gross] = [meanOf(months.map((month) => month.net)), meanOf(months.map((month) => month.gross))];
      return { currency, parts, months, net, gross };
    });
}

function inUnits({ n, d }: Rational, parts: bigint): Rational {
  return rational(n, d * parts);
}

export function toBurnLine({ currency, parts, months, net, gross }: Burn): BurnLine {
  const rounded = (value: Rational): bigint => roundHalfEven(inUnits(value, parts));
  const whole = (value: bigint | undefined): bigint => rounded(rational(value ?? 0n));
  const [nets, grosses] = [months.map((month) => month.net), months.map((month) => month.gross)];
  const [sortedNets, sortedGrosses] = [nets.toSorted(compareBigInts), grosses.toSorted(compareBigInts)];
  return {
    currency,
    ...exactCentsOf('net_burn', roundHalfEven(net)),
    ...exactCentsOf('net_burn_median', rounded(median(nets))),
    ...exactCentsOf('net_burn_min', whole(sortedNets[0])),
    ...exactCentsOf('net_burn_max', whole(sortedNets.at(-1))),
    net_burn_stddev_cents: sampleDeviation(nets.map(whole)),
    ...exactCentsOf('gross_burn', roundHalfEven(gross)),
    ...exactCentsOf('gross_burn_median', rounded(median(grosses))),
    ...exactCentsOf('gross_burn_min', whole(sortedGrosses[0])),
    ...exactCentsOf('gross_burn_max', whole(sortedGrosses.at(-1))),
    months: months.map((month) => ({
      month: month.month,
      ...exactCentsOf('net_burn', whole(month.net)),
      ...exactCentsOf('gross_burn', whole(month.gross)),
    })),
  };
}

function sampleDeviation(values: readonly bigint[]): number | null {
  if (values.length < 2) return null;
  const { n, d } = mean(values);
  const squares = values.reduce((sum, value) => sum + (value * d - n) ** 2n, 0n);
  const deviation = Math.round(Math.sqrt(Number(squares) / (values.length - 1)) / Number(d));
  return Number.isSafeInteger(deviation) ? deviation : null;
}

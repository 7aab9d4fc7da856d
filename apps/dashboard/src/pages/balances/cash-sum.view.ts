import { amountIn, bigOf } from '../../lib/exact-cents.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type Balance = Outputs['cash']['balances']['get'];
export type Excluded = Outputs['cash']['onHand']['excluded'][number];

type OnHand = Outputs['cash']['onHand'];

interface CashSum {
  /** Minor units per currency. */
  cash: ReadonlyArray<readonly [currency: string, sum: bigint]>;
  /** Accounts that are no cash. */
  leftOut: number;
}

/**
 * The cash that the newest balance of each account adds up to. Undefined if it can't be told: until the day of its
 * disconnection an account counts, and a balance doesn't say which day that is.
 */
export function cashSum(
  balances: readonly Balance[],
  excluded: readonly Excluded[],
  isToday: boolean,
): CashSum | undefined {
  const reasons = new Map(excluded.map(({ connection_id, reason }) => [connection_id, reason]));
  const reasonOf = ({ connection_id }: Balance) => reasons.get(connection_id);
  if (!isToday && balances.some((balance) => reasonOf(balance) === 'disconnected')) return undefined;
  const counted = balances.filter((balance) => reasonOf(balance) === undefined);
  const sums = new Map<string, bigint>();
  for (const { currency, balance_cents } of counted)
    sums.set(currency, (sums.get(currency) ?? 0n) + bigOf(balance_cents));
  return { cash: [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)), leftOut: balances.length - counted.length };
}

/** True if the sums are all cash on hand, so that its total in the base currency is their total, too. */
export function isAllCash({ cash }: CashSum, { lines }: Pick<OnHand, 'lines'>): boolean {
  const known = new Map(cash);
  const balanceOf = (line: OnHand['lines'][number]): bigint => {
    const { cents, digits } = amountIn(line, 'balance');
    return bigOf(cents, digits);
  };
  return lines.length === cash.length && lines.every((line) => known.get(line.currency) === balanceOf(line));
}

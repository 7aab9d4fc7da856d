import type { BurnView } from './burn-view.ts';
import { openMonths } from './leave-out.ts';

/** Beyond this part of the counted money out, transfers without another side are a doubt. */
const PART = 10n;

/**
 * Returns true if the transfers of the window that are in no pair leave much more money on one side than on the other: an
 * account is not connected, or a category names payments that are none. Not told where rows of the window have several
 * currencies.
 */
export function hasUnpairedTransfers({ flows, windows, window, paired }: BurnView): boolean {
  const months = flows.filter(({ month }) => window.includes(month));
  if (new Set(months.map(({ currency }) => currency)).size > 1) return false;
  const monthOf = openMonths(windows);
  const inPairs = paired.filter(({ postedAt }) => window.includes(monthOf(postedAt) ?? ''));
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
  const net =
    sum(months.map(({ transferOut, transferIn }) => transferOut - transferIn)) +
    sum(inPairs.map(({ amount }) => amount));
  const size = net < 0n ? -net : net;
  return size * PART > sum(months.map(({ moneyOut }) => moneyOut));
}

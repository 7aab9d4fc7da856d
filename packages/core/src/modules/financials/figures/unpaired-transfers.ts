import { type Money, openConversion, openTotal } from '../../fx-rates/convert.ts';
import type { BurnView } from './burn-view.ts';
import { openMonths } from './leave-out.ts';

/** Beyond this part of the counted money out, transfers without another side are a doubt. */
const PART = 10n;

/**
 * Returns true if the transfers of the window that are in no pair leave much more money on one side than on the other: an
 * account is not connected, or a category names payments that are none. Several currencies are compared in the base
 * currency; false if one of them has no rate.
 */
export function hasUnpairedTransfers({ cash, flows, windows, window, paired }: BurnView): boolean {
  const months = flows.filter(({ month }) => window.includes(month));
  const monthOf = openMonths(windows);
  const inPairs = paired.filter(({ postedAt }) => window.includes(monthOf(postedAt) ?? ''));
  const out = months.map(({ currency, moneyOut }) => ({ currency, amount: moneyOut }));
  const transfers: Money[] = [
    ...months.map(({ currency, transferOut, transferIn }) => ({ currency, amount: transferOut - transferIn })),
    ...inPairs,
  ];
  const moved = [...out, ...transfers].filter(({ amount }) => amount !== 0n);
  const [currency, ...others] = new Set(moved.map((one) => one.currency));
  if (currency === undefined) return false;
  const { conversion } =
    others.length === 0 ? openConversion(undefined, [currency], currency, cash.today) : openTotal(cash, moved);
  if (conversion === undefined) return false;
  const sum = (amounts: readonly Money[]): bigint =>
    amounts.reduce((total, one) => total + conversion.convert(one.amount, one.currency), 0n);
  const net = sum(transfers);
  return (net < 0n ? -net : net) * PART > sum(out);
}

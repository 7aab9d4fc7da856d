import type { MonthFlow } from './compute-burn.ts';
import type { MonthWindow } from './months.ts';

/** A row that a step after the sums of categories leaves out. */
export interface LeftOutRow {
  id: string;
  postedAt: number;
  amount: bigint;
  currency: string;
}

/** One that is part of the sums of a category and of a connection; both '' for none. */
export interface KeyedRow extends LeftOutRow {
  category: string;
  connectionId: string;
}

/** Whether a row is left out as a transfer, or as money that nobody has classified. */
type Kind = 'transfer' | 'unclassified';

/** Moves rows that the sums count to what they leave out. A row outside the months of the sums changes nothing. */
export function leaveOut(
  flows: readonly MonthFlow[],
  windows: readonly MonthWindow[],
  rows: readonly LeftOutRow[],
  kind: Kind,
): MonthFlow[] {
  const adjusted = new Map(flows.map((flow) => [`${flow.month} ${flow.currency}`, { ...flow }]));
  const monthOf = openMonths(windows);
  for (const { postedAt, amount, currency } of rows) {
    const flow = adjusted.get(`${monthOf(postedAt)} ${currency}`);
    if (flow === undefined) continue;
    const [money, excluded, transfer] =
      amount > 0n
        ? (['moneyIn', 'excludedIn', 'transferIn'] as const)
        : (['moneyOut', 'excludedOut', 'transferOut'] as const);
    const size = amount > 0n ? amount : -amount;
    flow[money] -= size;
    flow[excluded] += size;
    if (kind === 'transfer') flow[transfer] += size;
  }
  return [...adjusted.values()];
}

/** Tells the month that a moment lies in; undefined outside of the windows. */
export function openMonths(windows: readonly MonthWindow[]): (moment: number) => string | undefined {
  const spans = windows.map(({ month, from, to }) => ({ month, from: Date.parse(from), to: Date.parse(to) }));
  return (moment) => spans.find(({ from, to }) => from <= moment && moment < to)?.month;
}

import type { MonthFlow } from './compute-burn.ts';
import type { MonthWindow } from './months.ts';

/** `category` and `connectionId` are '' for none, `postedAt` is in ms. */
export interface KeyedRow {
  id: string;
  connectionId: string;
  postedAt: number;
  amount: bigint;
  currency: string;
  category: string;
}

export const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

export interface StoredRow {
  id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  category: string | null;
}

export function toKeyedRow(row: StoredRow): KeyedRow {
  return {
    id: row.id,
    connectionId: row.connection_id,
    postedAt: Date.parse(row.posted_at),
    amount: BigInt(row.amount_cents),
    currency: row.currency,
    category: row.category ?? '',
  };
}

type Kind = 'transfer' | 'unclassified';

export function leaveOut(
  flows: readonly MonthFlow[],
  windows: readonly MonthWindow[],
  rows: readonly KeyedRow[],
  kind: Kind,
): MonthFlow[] {
  const adjusted = new Map(flows.map((flow) => [`${flow.month} ${flow.currency}`, { ...flow }]));
  const monthOf = createMonthLookup(windows);
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

/** Returns a function from a time in ms to its month; undefined outside of the windows. */
export function createMonthLookup(windows: readonly MonthWindow[]): (moment: number) => string | undefined {
  const spans = windows.map(({ month, from, to }) => ({ month, from: Date.parse(from), to: Date.parse(to) }));
  return (moment) => spans.find(({ from, to }) => from <= moment && moment < to)?.month;
}

import { createFreeSlots, type FreeSlots } from './free-places.ts';

/** A transaction that may be one side of a transfer between two of the company's own series. */
export interface TransferSide {
  id: string;
  connectionId: string;
  postedAt: number;
  amount: bigint;
  currency: string;
}

export interface TransferRow extends TransferSide {
  category: string;
}

const TRANSFER_DAYS = 3;

const WINDOW = TRANSFER_DAYS * 86_400_000;

/**
 * Milliseconds before and after a span that can affect its pairs: the other side is at most three days away, and its
 * alternatives three more.
 */
export const TRANSFER_MARGIN = 2 * WINDOW;

/**
 * Pairs rows of the same currency, opposite equal amounts and different series, at most three days apart. Each row is
 * in one pair at most: money out, in order of time, takes the nearest free money in, and the earlier of two equally
 * near ones. The cost is n log n, because a company may move the same amount thousands of times.
 */
export function pairTransfers<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const groups = Map.groupBy(rows, ({ currency, amount }) => `${currency} ${amount < 0n ? -amount : amount}`);
  const pairs = [...groups.values()].flatMap(pairGroup);
  return pairs.sort((a, b) => byTime(a.out, b.out));
}

/**
 * The rows of [from, to) that are in a pair. Reads only rows within the margin, so a month's result does not depend on
 * other months or later rows.
 */
export function pairedWithin<S extends TransferSide>(rows: readonly S[], from: number, to: number): S[] {
  const near = rows.filter(({ postedAt }) => postedAt >= from - TRANSFER_MARGIN && postedAt < to + TRANSFER_MARGIN);
  const sides = pairTransfers(near).flatMap((pair) => [pair.out, pair.in]);
  return sides.filter(({ postedAt }) => postedAt >= from && postedAt < to);
}

function pairGroup<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const sorted = rows.toSorted(byTime);
  const ins = sorted.filter(({ amount }) => amount > 0n);
  const free = createFreeSlots(ins.map(({ connectionId }) => connectionId));
  return sorted
    .filter(({ amount }) => amount < 0n)
    .flatMap((out) => {
      const slot = nearest(out, ins, free);
      const match = ins[slot];
      if (!match) return [];
      free.take(slot);
      return [{ out, in: match }];
    });
}

/** The index of the free money in that is nearest in time, and first in order among equals; −1 for none. */
function nearest(out: TransferSide, ins: readonly TransferSide[], free: FreeSlots): number {
  const { connectionId, postedAt } = out;
  const distance = (slot: number): number => Math.abs((ins[slot]?.postedAt ?? Infinity) - postedAt);
  const start = firstSince(ins, postedAt);
  const after = free.firstOther(connectionId, start, firstSince(ins, postedAt + WINDOW + 1));
  const last = free.lastOther(connectionId, firstSince(ins, postedAt - WINDOW), start);
  if (last === -1 || distance(after) < distance(last)) return after;
  return free.firstOther(connectionId, firstSince(ins, ins[last]?.postedAt ?? 0), start);
}

/** Index of the first side at or after a moment. */
function firstSince(sides: readonly TransferSide[], moment: number): number {
  let [low, high] = [0, sides.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sides[middle]?.postedAt ?? Infinity) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byTime(a: TransferSide, b: TransferSide): number {
  return a.postedAt - b.postedAt || (a.id < b.id ? -1 : 1);
}

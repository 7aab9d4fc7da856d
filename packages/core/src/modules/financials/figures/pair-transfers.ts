import { type FreePlaces, openPlaces } from './free-places.ts';

/** A transaction that may be one side of a transfer between two of the company's own streams. */
export interface TransferSide {
  id: string;
  connectionId: string;
  /** Milliseconds since the epoch. */
  postedAt: number;
  amount: bigint;
  currency: string;
}

export interface TransferRow extends TransferSide {
  category: string;
}

/** Days that may lie between the two sides. */
const TRANSFER_DAYS = 3;

const WINDOW = TRANSFER_DAYS * 86_400_000;

/**
 * Milliseconds before and after a span that say who is paired with a row of it: the other side lies at most three days
 * off, and what that one could be paired with instead three days more.
 */
export const TRANSFER_MARGIN = 2 * WINDOW;

/**
 * Pairs rows of the same currency, opposite equal amount and different streams that lie at most three days apart. Each
 * row is in one pair at most: money out, in order of time, takes the nearest money in that is still free, the earlier of
 * two as near. The work is n log n, because a company may move the same amount thousands of times.
 */
export function pairTransfers<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const groups = Map.groupBy(rows, ({ currency, amount }) => `${currency} ${amount < 0n ? -amount : amount}`);
  const pairs = [...groups.values()].flatMap(pairGroup);
  return pairs.sort((a, b) => byTime(a.out, b.out));
}

/**
 * The rows of [from, to) that are in a pair. Only rows within the margin are looked at, so that a month is the same
 * whatever is read beside it, and whatever is posted later.
 */
export function pairedWithin<S extends TransferSide>(rows: readonly S[], from: number, to: number): S[] {
  const near = rows.filter(({ postedAt }) => postedAt >= from - TRANSFER_MARGIN && postedAt < to + TRANSFER_MARGIN);
  const sides = pairTransfers(near).flatMap((pair) => [pair.out, pair.in]);
  return sides.filter(({ postedAt }) => postedAt >= from && postedAt < to);
}

function pairGroup<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const sorted = rows.toSorted(byTime);
  const ins = sorted.filter(({ amount }) => amount > 0n);
  const free = openPlaces(ins.map(({ connectionId }) => connectionId));
  return sorted
    .filter(({ amount }) => amount < 0n)
    .flatMap((out) => {
      const place = nearest(out, ins, free);
      const match = ins[place];
      if (!match) return [];
      free.take(place);
      return [{ out, in: match }];
    });
}

/** The place of the free money in that is nearest in time, and first in order where several are; −1 for none. */
function nearest(out: TransferSide, ins: readonly TransferSide[], free: FreePlaces): number {
  const { connectionId, postedAt } = out;
  const distance = (place: number): number => Math.abs((ins[place]?.postedAt ?? Infinity) - postedAt);
  const start = firstSince(ins, postedAt);
  const after = free.firstOther(connectionId, start, firstSince(ins, postedAt + WINDOW + 1));
  const last = free.lastOther(connectionId, firstSince(ins, postedAt - WINDOW), start);
  if (last === -1 || distance(after) < distance(last)) return after;
  return free.firstOther(connectionId, firstSince(ins, ins[last]?.postedAt ?? 0), start);
}

/** The index of the first side at or after a moment. */
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

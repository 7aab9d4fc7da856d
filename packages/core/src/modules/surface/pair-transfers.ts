/** A transaction that may be one side of a transfer between two of the company's own streams. */
export interface TransferSide {
  id: string;
  connectionId: string;
  /** Milliseconds since the epoch. */
  postedAt: number;
  amount: bigint;
  currency: string;
}

/** Days that may lie between the two sides. */
export const TRANSFER_DAYS = 3;

const WINDOW = TRANSFER_DAYS * 86_400_000;

/**
 * Pairs rows of the same currency, opposite equal amount and different streams that lie at most three days apart. Each
 * row is in one pair at most: money out, in order of time, takes the nearest money in that is still free.
 */
export function pairTransfers<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const groups = Map.groupBy(rows, ({ currency, amount }) => `${currency} ${amount < 0n ? -amount : amount}`);
  const pairs = [...groups.values()].flatMap(pairGroup);
  return pairs.sort((a, b) => byTime(a.out, b.out));
}

function pairGroup<S extends TransferSide>(rows: readonly S[]): { out: S; in: S }[] {
  const sorted = rows.toSorted(byTime);
  const free = new Set(sorted.filter(({ amount }) => amount > 0n));
  return sorted
    .filter(({ amount }) => amount < 0n)
    .flatMap((out) => {
      const match = nearest(out, free);
      if (!match) return [];
      free.delete(match);
      return [{ out, in: match }];
    });
}

function nearest<S extends TransferSide>(out: S, candidates: Iterable<S>): S | undefined {
  let found: S | undefined;
  for (const candidate of candidates) {
    if (candidate.connectionId === out.connectionId) continue;
    const distance = Math.abs(candidate.postedAt - out.postedAt);
    if (distance > WINDOW) continue;
    if (!found || distance < Math.abs(found.postedAt - out.postedAt)) found = candidate;
  }
  return found;
}

function byTime(a: TransferSide, b: TransferSide): number {
  return a.postedAt - b.postedAt || (a.id < b.id ? -1 : 1);
}

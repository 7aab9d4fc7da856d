import type { KeyedRow } from './leave-out.ts';
import { countFirst } from './sorted.ts';

export type TransferSide = Omit<KeyedRow, 'category'>;

export interface TransferRow extends KeyedRow {
  flowClass: string;
}

export interface TransferPair<S extends TransferSide = TransferRow> {
  out: S;
  in: S;
}

/** Most days between the sides of a pair; each has 24 hours. */
export const TRANSFER_DAYS = 5;

const WINDOW = TRANSFER_DAYS * 86_400_000;

/** Milliseconds before and after a span that affect its pairs: the other side is up to five days away, its alternatives ten. */
export const TRANSFER_MARGIN = 2 * WINDOW;

/** Pairs each outflow, by time, with the nearest equal inflow of another series within five days. Takes n log n time. */
export function pairTransfers<S extends TransferSide>(rows: readonly S[]): TransferPair<S>[] {
  const groups = Map.groupBy(rows, ({ currency, amount }) => `${currency} ${amount < 0n ? -amount : amount}`);
  const pairs = [...groups.values()].flatMap(pairGroup);
  return pairs.sort((a, b) => byTime(a.out, b.out));
}

/** Pairs across a bound come first, from rows within its margin, so that a span's pairs don't depend on other spans. */
export function pairBetween<S extends TransferSide>(rows: readonly S[], bounds: readonly number[]): TransferPair<S>[] {
  const within = (from: number, to: number) => rows.filter(({ postedAt }) => postedAt >= from && postedAt < to);
  const over = bounds.flatMap((bound) =>
    pairTransfers(within(bound - TRANSFER_MARGIN, bound + TRANSFER_MARGIN)).filter(
      (pair) => pair.out.postedAt < bound !== pair.in.postedAt < bound,
    ),
  );
  const used = new Set(over.flatMap((pair) => [pair.out, pair.in]));
  const inside = bounds
    .slice(1)
    .flatMap((to, i) => pairTransfers(within(bounds[i] ?? to, to).filter((row) => !used.has(row))));
  return [...over, ...inside].sort((a, b) => byTime(a.out, b.out));
}

function pairGroup<S extends TransferSide>(rows: readonly S[]): TransferPair<S>[] {
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

function nearest(out: TransferSide, ins: readonly TransferSide[], free: FreeSlots): number {
  const { connectionId, postedAt } = out;
  const distance = (slot: number): number => Math.abs((ins[slot]?.postedAt ?? Infinity) - postedAt);
  const start = firstSince(ins, postedAt);
  const after = free.firstOther(connectionId, start, firstSince(ins, postedAt + WINDOW + 1));
  const last = free.lastOther(connectionId, firstSince(ins, postedAt - WINDOW), start);
  if (last === -1 || distance(after) < distance(last)) return after;
  return free.firstOther(connectionId, firstSince(ins, ins[last]?.postedAt ?? 0), start);
}

function firstSince(sides: readonly TransferSide[], moment: number): number {
  return countFirst(sides, ({ postedAt }) => postedAt < moment);
}

function byTime(a: TransferSide, b: TransferSide): number {
  return a.postedAt - b.postedAt || (a.id < b.id ? -1 : 1);
}

/** Items of series that are taken one by one. Every call takes logarithmic time. */
interface FreeSlots {
  firstOther(name: string, from: number, to: number): number;
  lastOther(name: string, from: number, to: number): number;
  take(slot: number): void;
}

const NOTHING = 0;
const SEVERAL = -1;

/** A binary tree stores whether the free items below a node are of no, one or several series, so that a search skips runs. */
function createFreeSlots(series: readonly string[]): FreeSlots {
  const numbers = new Map([...new Set(series)].map((name, i) => [name, i + 1]));
  const width = 2 ** Math.ceil(Math.log2(Math.max(1, series.length)));
  const tree = new Int32Array(2 * width);
  series.forEach((name, slot) => (tree[width + slot] = numbers.get(name) ?? NOTHING));
  const join = (node: number): void => {
    const left = tree[2 * node] ?? NOTHING;
    const right = tree[2 * node + 1] ?? NOTHING;
    tree[node] = left === NOTHING || left === right ? right : right === NOTHING ? left : SEVERAL;
  };
  for (let node = width - 1; node > 0; node--) join(node);

  function search(own: number, from: number, to: number, side: 0 | 1, node = 1, low = 0, size = width): number {
    const held = tree[node] ?? NOTHING;
    if (held === NOTHING || held === own || low >= to || low + size <= from) return -1;
    if (size === 1) return low;
    const half = size / 2;
    const other = side === 0 ? 1 : 0;
    const near = search(own, from, to, side, 2 * node + side, low + side * half, half);
    return near === -1 ? search(own, from, to, side, 2 * node + other, low + other * half, half) : near;
  }
  const numberOf = (name: string): number => numbers.get(name) ?? NOTHING;
  return {
    firstOther: (name, from, to) => search(numberOf(name), from, to, 0),
    lastOther: (name, from, to) => search(numberOf(name), from, to, 1),
    take(slot) {
      let node = width + slot;
      tree[node] = NOTHING;
      for (node >>= 1; node > 0; node >>= 1) join(node);
    },
  };
}

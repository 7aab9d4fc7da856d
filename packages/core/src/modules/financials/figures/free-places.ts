/** An array of items, each of one series, that are taken one by one. Every call takes logarithmic time. */
export interface FreeSlots {
  /** The first free item in [from, to) of another series; −1 if none is left. */
  firstOther(name: string, from: number, to: number): number;
  lastOther(name: string, from: number, to: number): number;
  take(slot: number): void;
}

const NOTHING = 0;
const SEVERAL = -1;

/**
 * All items are free at the start. A binary tree stores the free items below each node: none, those of one series (its
 * number), or of several, so that a search skips a run of the same series at once, whatever its length.
 */
export function createFreeSlots(series: readonly string[]): FreeSlots {
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

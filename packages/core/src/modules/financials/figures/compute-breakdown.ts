import { MAX_BREAKDOWN_KEYS } from '@finhook/contracts';

export interface KeySums {
  key: string | null;
  name: string | null;
  amounts: ReadonlyMap<string, bigint>;
  transactions: ReadonlyMap<string, number>;
}

interface Months {
  shown: readonly string[];
  /** Undefined without a comparison, or if the history does not cover one of them. */
  compared: readonly string[] | undefined;
}

export interface BreakdownSums {
  months: { month: string; amount: bigint }[];
  total: bigint;
  transactions: number;
  compared: bigint | undefined;
}

export interface BreakdownTable {
  rows: (BreakdownSums & Pick<KeySums, 'key' | 'name'>)[];
  other: (BreakdownSums & { keys: number }) | undefined;
  all: BreakdownSums;
}

/** `other` has the keys beyond the `most` with the largest sums. */
export function computeBreakdown(keys: readonly KeySums[], months: Months, most = MAX_BREAKDOWN_KEYS): BreakdownTable {
  const sums = keys
    .map((one) => ({ key: one.key, name: one.name, ...addKeys([one], months) }))
    .filter(({ total, compared = 0n }) => total !== 0n || compared !== 0n)
    .sort(byTotal);
  const rest = new Set(sums.slice(most).map(({ key }) => key));
  const others = keys.filter(({ key }) => rest.has(key));
  return {
    rows: sums.slice(0, most),
    other: rest.size === 0 ? undefined : { keys: rest.size, ...addKeys(others, months) },
    all: addKeys(keys, months),
  };
}

function addKeys(keys: readonly KeySums[], { shown, compared }: Months): BreakdownSums {
  const sumOf = (month: string): bigint => keys.reduce((sum, { amounts }) => sum + (amounts.get(month) ?? 0n), 0n);
  const sum = (of: readonly string[]): bigint => of.reduce((total, month) => total + sumOf(month), 0n);
  return {
    months: shown.map((month) => ({ month, amount: sumOf(month) })),
    total: sum(shown),
    transactions: keys
      .flatMap(({ transactions }) => shown.map((month) => transactions.get(month) ?? 0))
      .reduce((total, count) => total + count, 0),
    compared: compared && sum(compared),
  };
}

type Sortable = Pick<BreakdownSums, 'total' | 'compared'> & { key: string | null };

function byTotal(a: Sortable, b: Sortable): number {
  const [least, most] = [
    [b.total, b.compared ?? 0n],
    [a.total, a.compared ?? 0n],
  ];
  for (const i of [0, 1]) {
    const difference = (least[i] ?? 0n) - (most[i] ?? 0n);
    if (difference !== 0n) return difference > 0n ? 1 : -1;
  }
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}

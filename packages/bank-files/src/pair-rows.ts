import { wordsOf } from '@finhook/contracts/transaction-content';
import type { RawTransaction } from './statement.ts';
import type { Step } from './step.ts';

/** A row that another one is taken for, and the other. `isSure` if they have the reference or the words in common. */
export interface RowPair {
  row: RawTransaction;
  known: RawTransaction;
  isSure: boolean;
}

type Keys = (row: RawTransaction) => string | undefined;

/** The ways to pair, the surest first. */
const ways: readonly { keyOf: Keys; isSure: boolean }[] = [
  { keyOf: ({ reference }) => reference || undefined, isSure: true },
  { keyOf: (row) => wordsOf(row) || undefined, isSure: true },
  { keyOf: () => '', isSure: false },
];

/** Pairs rows of one day and amount with known ones, each with one at most, until one of the lists has no more. */
export function pairRows(rows: readonly RawTransaction[], known: readonly RawTransaction[], step: Step): RowPair[] {
  const pairs: RowPair[] = [];
  let open = [...rows];
  let free = [...known];
  for (const { keyOf, isSure } of ways) {
    step(open.length + free.length);
    const byKey = Map.groupBy(free.toReversed(), keyOf);
    const taken = new Set<RawTransaction>();
    open = open.filter((row) => {
      const key = keyOf(row);
      const found = key === undefined ? undefined : byKey.get(key)?.pop();
      if (found === undefined) return true;
      taken.add(found);
      pairs.push({ row, known: found, isSure: isSure || wordsOf(row) === wordsOf(found) });
      return false;
    });
    free = free.filter((row) => !taken.has(row));
  }
  return pairs;
}

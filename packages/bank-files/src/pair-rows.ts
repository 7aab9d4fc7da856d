import { wordsOf } from '@finhook/contracts/transaction-content';
import type { RawTransaction } from './statement.ts';
import type { Step } from './step.ts';

/** A row and the known row that it matches. `isSure` if they share a reference or words. */
export interface RowPair {
  row: RawTransaction;
  known: RawTransaction;
  isSure: boolean;
}

interface Way {
  keyOf: (row: RawTransaction) => string | undefined;
  knownKeyOf?: (row: RawTransaction) => string | undefined;
  isSure: boolean;
}

/** Ways to pair, the surest first. Rows with different words and different references never match. */
function pairingRules(reused: ReadonlySet<string>): readonly Way[] {
  const referenceOf = ({ reference = '' }: RawTransaction) =>
    reused.has(reference) ? undefined : reference || undefined;
  const withoutReference = (row: RawTransaction) => (referenceOf(row) === undefined ? '' : undefined);
  return [
    { keyOf: (row) => row.reference && JSON.stringify([row.reference, wordsOf(row)]), isSure: true },
    { keyOf: referenceOf, isSure: true },
    { keyOf: (row) => wordsOf(row) || undefined, isSure: true },
    { keyOf: () => '', knownKeyOf: withoutReference, isSure: false },
    { keyOf: withoutReference, knownKeyOf: () => '', isSure: false },
  ];
}

/** Pairs rows with known ones of the same day and amount. @param reused references that identify no row */
export function pairRows(
  {
    rows,
    known,
    reused,
  }: { rows: readonly RawTransaction[]; known: readonly RawTransaction[]; reused: ReadonlySet<string> },
  step: Step,
): RowPair[] {
  const pairs: RowPair[] = [];
  let open = [...rows];
  let free = [...known];
  for (const { keyOf, knownKeyOf = keyOf, isSure } of pairingRules(reused)) {
    step(open.length + free.length);
    const byKey = Map.groupBy(free.toReversed(), knownKeyOf);
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

import type { DecimalMark } from '../../values.ts';
import { type Amount, centsOf } from './amounts.ts';
import type { CsvRow, Part } from './rows.ts';

export interface SignRule {
  /** The meaning of a minus in a debit column or next to the word debit. */
  debit: 'repeats' | 'reverses';
  credit: 'repeats' | 'reverses';
  isInverted: boolean;
  /** Too unlikely to be used without proof by balances. */
  needsProof: boolean;
}

export function isZero({ digits }: Amount): boolean {
  return !/[1-9]/.test(digits);
}

/** The likeliest first: a minus repeats its column if all amounts of the column are negative, else it reverses it. */
export function signRules(
  rows: readonly CsvRow[],
  { inverted, canProve }: { inverted?: boolean | undefined; canProve: boolean },
): SignRule[] {
  const minusOf = (side: Part['side']): SignRule['debit'][] => {
    const all = rows.flatMap(({ parts }) => parts.filter((part) => part.side === side && !isZero(part.amount)));
    const negative = all.filter(({ amount }) => amount.isNegative).length;
    if (negative === 0) return ['repeats'];
    return negative === all.length ? ['repeats', 'reverses'] : ['reverses', 'repeats'];
  };
  const rules = (inverted === undefined ? [false, true] : [inverted]).flatMap((isInverted) =>
    minusOf(-1).flatMap((debit) => minusOf(1).map((credit) => ({ debit, credit, isInverted }))),
  );
  return rules.slice(0, canProve ? rules.length : 1).map((rule, i) => ({ ...rule, needsProof: i > 0 }));
}

/** True if most amounts, but not all, have a minus, which may repeat or reverse the side. */
function isDoubtful(parts: readonly Part[]): boolean {
  const negative = parts.filter(({ amount }) => amount.isNegative).length;
  return negative < parts.length && negative * 2 > parts.length;
}

/** The sides of words whose signs differ. A minus reverses the word if less than half of the debits have one. */
function contradictedSides(parts: readonly Part[]): ReadonlyArray<Part['side']> {
  const sides = Map.groupBy(parts, ({ side }) => side);
  const isMinus = ({ amount }: Part): boolean => amount.isNegative;
  const [debits, credits] = [sides.get(-1) ?? [], sides.get(1) ?? []];
  if (debits.filter(isMinus).length * 2 < debits.length) return [];
  return [
    ...(debits.every(isMinus) ? [] : [-1 as const]),
    ...(credits.length > 0 && credits.every(isMinus) ? [1 as const] : []),
  ];
}

/** Finds amounts with an unknown sign: without sign, word and column, or with a word and a sign that differ. */
export function unsignedIn(rows: readonly CsvRow[]): (part: Part) => boolean {
  const all = rows.flatMap(({ parts }) => parts.filter(({ amount }) => !isZero(amount)));
  const worded = all.filter(({ isWorded }) => isWorded);
  const inColumns = Map.groupBy(all, ({ side, isWorded }) => (isWorded ? 0 : side));
  const doubtful = new Set(([-1, 1] as const).filter((side) => isDoubtful(inColumns.get(side) ?? [])));
  const contradicted = new Set(contradictedSides(worded));
  // If some amounts of the column have a minus, those without a sign are positive.
  const hasMinus = all.some(({ side, amount }) => side === 0 && amount.sign === 'mark' && amount.isNegative);
  return ({ side, amount, isWorded }) => {
    if (isZero(amount)) return false;
    if (side === 0) return amount.sign === 'none' && !hasMinus;
    return (isWorded ? contradicted : doubtful).has(side);
  };
}

/** True if some amounts have a sign: those without one have one direction. */
export function haveOneDirection(rows: readonly CsvRow[], isUnsigned: (part: Part) => boolean): boolean {
  const hasPlus = ({ side, amount }: Part): boolean => side === 0 && amount.sign === 'mark' && !amount.isNegative;
  return rows.some(({ parts }) => parts.some((part) => hasPlus(part) || (isUnsigned(part) && part.amount.isNegative)));
}

export interface RowCents {
  parts: number[];
  fee: number;
  balance?: number;
  balanceError?: string;
}

export function readRowCents(
  { parts, fee, balance }: CsvRow,
  currency: string,
  mark: DecimalMark,
): { value: RowCents } | { error: string } {
  const cents: number[] = [];
  for (const { amount } of parts) {
    const read = centsOf(amount, currency, mark);
    if ('error' in read) return read;
    cents.push(read.value);
  }
  const taken = fee ? centsOf(fee, currency, mark) : { value: 0 };
  if ('error' in taken) return taken;
  const value: RowCents = { parts: cents, fee: fee?.isNegative ? 0 - taken.value : taken.value };
  if (!balance) return { value };
  const printed = centsOf(balance, currency, mark);
  if ('error' in printed) return { value: { ...value, balanceError: printed.error } };
  return { value: { ...value, balance: balance.isNegative ? 0 - printed.value : printed.value } };
}

/** The amount of a row by a rule, and its part with an unknown sign. */
export function applyRule(
  { parts }: CsvRow,
  { parts: cents }: RowCents,
  rule: SignRule,
  isUnsigned: (part: Part) => boolean,
): { known: number; open: number } {
  let known = 0;
  let open = 0;
  for (const [i, part] of parts.entries()) {
    const value = cents[i] ?? 0;
    if (isUnsigned(part)) open += part.amount.isNegative ? 0 - value : value;
    else known += signed(part, value, rule);
  }
  return { known: rule.isInverted ? 0 - known : known, open };
}

function signed({ side, amount: { isNegative } }: Part, cents: number, { debit, credit }: SignRule): number {
  if (side === 0) return isNegative ? 0 - cents : cents;
  const isReversed = isNegative && (side === -1 ? debit : credit) === 'reverses';
  return isReversed ? 0 - side * cents : side * cents;
}

import type { DecimalMark } from '../../values.ts';
import { type Amount, centsOf } from './amounts.ts';
import type { CsvRow, Part } from './rows.ts';

/** How the signs of a file are read. */
export interface SignRule {
  /** A minus in a debit column, or beside the word debit: it repeats the column, or reverses it. */
  debit: 'repeats' | 'reverses';
  credit: 'repeats' | 'reverses';
  /** The bank writes money out as positive. */
  isInverted: boolean;
  /** True of a rule that nobody would apply unless the balances prove it. */
  needsProof: boolean;
}

export function isZero({ digits }: Amount): boolean {
  return !/[1-9]/.test(digits);
}

/**
 * The rules by which a file may be read, the one that the bank's signs say first. A minus repeats its column if all
 * amounts of the column are negative, and reverses it otherwise.
 */
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

/** True for debits or credits of which more have a minus than not: it may repeat the column, or reverse it. */
function isDoubtful(parts: readonly Part[]): boolean {
  const negative = parts.filter(({ amount }) => amount.isNegative).length;
  return negative < parts.length && negative * 2 > parts.length;
}

/**
 * The sides that words give, and the signs beside them contradict: either may decide. Where less than half of the debits
 * have a minus, the bank means the words, and a minus reverses them.
 */
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

/**
 * Finds the amounts whose sign the file does not say: neither a sign, nor a word, nor a column, or a word and a sign that
 * differ. In a column where most have a minus, those without one are among them, and the others have the opposite
 * direction.
 */
export function unsignedIn(rows: readonly CsvRow[]): (part: Part) => boolean {
  const all = rows.flatMap(({ parts }) => parts.filter(({ amount }) => !isZero(amount)));
  const worded = all.filter(({ isWorded }) => isWorded);
  const inColumns = Map.groupBy(all, ({ side, isWorded }) => (isWorded ? 0 : side));
  const doubtful = new Set(([-1, 1] as const).filter((side) => isDoubtful(inColumns.get(side) ?? [])));
  const contradicted = new Set(contradictedSides(worded));
  // A column that has a minus writes its positive amounts without a plus.
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

/** The amounts of a row in minor units, with one decimal mark. */
export interface RowCents {
  /** Without signs, in the order of the parts. */
  parts: number[];
  fee: number;
  balance?: number;
  /** The printed balance can't be read. */
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

/** The amount of a row by a rule, and the part of it whose sign is open. */
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

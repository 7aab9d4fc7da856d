import type { RawStatement, RawTransaction } from './statement.ts';
import type { Step } from './step.ts';

/** A statement with rows, and the file of the archive that has it. */
export interface Located {
  statement: RawStatement;
  file: string;
  from: string;
  to: string;
  opening: number | undefined;
  closing: number | undefined;
  /** Sum of the rows in the statement's currency. */
  sum: number;
}

/** Statements that follow each other: no row of one is a row of another. */
export interface Chain {
  members: readonly Located[];
  from: string;
  to: string;
  opening: number | undefined;
  closing: number | undefined;
}

export function locate(statement: RawStatement, file: string, step: Step): Located {
  const { rows, currency } = statement;
  step(rows.length + 1);
  const own = rows.filter((row) => row.currency === currency);
  const [first] = own;
  const before = first?.balance === undefined ? undefined : first.balance - first.cents;
  let [from = '', to = ''] = [rows[0]?.day, rows[0]?.day];
  for (const { day } of rows) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return {
    statement,
    file,
    from,
    to,
    opening: statement.opening?.cents ?? before,
    closing: statement.closing?.cents ?? own.at(-1)?.balance,
    sum: own.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/**
 * Chains the statements of an account in one currency: a statement follows another if it begins on the day on which the
 * other ends, with the other's closing balance. Those of one file of an archive come first.
 *
 * @param dayOf the day that must be equal, of the two that are given: another function asks for less
 */
export function chainsOf(statements: readonly Located[], step: Step, dayOf = (day: string): string => day): Chain[] {
  const next = new Map<Located, Located>();
  const previous = new Map<Located, Located>();
  const heads = new Map(statements.map((tail) => [tail, tail]));
  const tails = new Map(statements.map((head) => [head, head]));
  for (const placeOf of [({ file }: Located) => file, () => '']) {
    const ending = Map.groupBy(
      statements.filter((one) => one.closing !== undefined && !next.has(one)).toReversed(),
      (one) => JSON.stringify([placeOf(one), dayOf(one.to), one.closing]),
    );
    for (const one of statements) {
      step(1);
      if (previous.has(one) || one.opening === undefined) continue;
      const before = ending.get(JSON.stringify([placeOf(one), dayOf(one.from), one.opening]))?.pop();
      const head = before && heads.get(before);
      if (before === undefined || head === undefined || head === one) continue;
      if (hasRowsOf(before, one, step) || hasRowsOf(one, before, step)) continue;
      next.set(before, one);
      previous.set(one, before);
      const tail = tails.get(one) ?? one;
      heads.set(tail, head);
      tails.set(head, tail);
    }
  }
  return statements.filter((one) => !previous.has(one)).map((head) => chainFrom(head, next));
}

function chainFrom(head: Located, next: ReadonlyMap<Located, Located>): Chain {
  const members: Located[] = [];
  for (let one: Located | undefined = head; one !== undefined; one = next.get(one)) members.push(one);
  const last = members.at(-1) ?? head;
  return { members, from: head.from, to: last.to, opening: head.opening, closing: last.closing };
}

const isSameRow = (a: RawTransaction | undefined, b: RawTransaction | undefined): boolean =>
  a?.day === b?.day && a?.cents === b?.cents && a?.currency === b?.currency;

/**
 * True if rows of `whole` from a place with the opening balance of `part` on are all rows of `part`, or its first ones:
 * then they are the same rows, although one statement also closes with the opening balance of the other. The search is
 * that of Knuth, Morris and Pratt.
 */
function hasRowsOf(whole: Located, part: Located, step: Step): boolean {
  const [text, pattern] = [whole.statement.rows, part.statement.rows];
  const borders = bordersOf(pattern, step);
  const balances = balancesBefore(whole, step);
  let length = 0;
  for (const [i, row] of text.entries()) {
    step(1);
    if (length === pattern.length) length = borders[length] ?? 0;
    while (length > 0 && !isSameRow(row, pattern[length])) length = borders[length] ?? 0;
    if (isSameRow(row, pattern[length])) length += 1;
    if (length === pattern.length && balances[i + 1 - length] === part.opening) return true;
  }
  for (; length > 0; length = borders[length] ?? 0) {
    if (balances[text.length - length] === part.opening) return true;
  }
  return false;
}

/** By the number of first rows: how many of them are also the last ones of these, without being all. */
function bordersOf(rows: readonly RawTransaction[], step: Step): number[] {
  const borders = [0, 0];
  let length = 0;
  for (const row of rows.slice(1)) {
    step(1);
    while (length > 0 && !isSameRow(row, rows[length])) length = borders[length] ?? 0;
    if (isSameRow(row, rows[length])) length += 1;
    borders.push(length);
  }
  return borders;
}

/** The balance before each row. */
function balancesBefore({ opening, statement: { rows, currency } }: Located, step: Step): number[] {
  step(rows.length);
  let balance = opening ?? Number.NaN;
  return rows.map((row) => {
    const before = balance;
    if (row.currency === currency) balance += row.cents;
    return before;
  });
}

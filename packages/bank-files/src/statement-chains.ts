import type { RawStatement, RawTransaction } from './statement.ts';
import type { Step } from './step.ts';

/** A statement with rows. */
export interface Located {
  statement: RawStatement;
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

export function locate(statement: RawStatement, step: Step): Located {
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
    from,
    to,
    opening: statement.opening?.cents ?? before,
    closing: statement.closing?.cents ?? own.at(-1)?.balance,
    sum: own.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/**
 * Chains the statements of an account in one currency: a statement follows another if it begins on the day on which the
 * other ends, with the other's closing balance. Those of one file of an archive come first. A chain has no row twice: an
 * account that has a balance again would be chained with a part of itself.
 *
 * @param dayOf the day that must be equal, of the two that are given: another function asks for less
 */
export function chainsOf(statements: readonly Located[], step: Step, dayOf = (day: string): string => day): Chain[] {
  const next = new Map<Located, Located>();
  const previous = new Set<Located>();
  const links = new Links(statements, step);
  for (const placeOf of [({ statement }: Located) => statement.file ?? '', () => '']) {
    const ending = Map.groupBy(
      statements.filter((one) => one.closing !== undefined && !next.has(one)).toReversed(),
      (one) => JSON.stringify([placeOf(one), dayOf(one.to), one.closing]),
    );
    for (const one of statements) {
      step(1);
      if (previous.has(one) || one.opening === undefined) continue;
      const before = ending.get(JSON.stringify([placeOf(one), dayOf(one.from), one.opening]))?.pop();
      if (before === undefined || !links.join(before, one)) continue;
      next.set(before, one);
      previous.add(one);
    }
  }
  return statements.filter((one) => !previous.has(one)).map((head) => chainFrom(head, next));
}

/** The statements that are linked, in no order. */
class Links {
  readonly #chains: Map<Located, Set<Located>>;
  readonly #shared: Shared;
  readonly #step: Step;

  constructor(statements: readonly Located[], step: Step) {
    this.#chains = new Map(statements.map((one) => [one, new Set([one])]));
    this.#shared = sharedBy(statements, step);
    this.#step = step;
  }

  /** Makes the chains of two statements one. False if they are one already, or have rows in common. */
  join(a: Located, b: Located): boolean {
    const [first, second] = [this.#chains.get(a), this.#chains.get(b)];
    if (first === undefined || second === undefined || first === second) return false;
    if (this.#shared.crowded.has(a) || this.#shared.crowded.has(b)) return false;
    const [small, large] = first.size < second.size ? [first, second] : [second, first];
    for (const one of small) {
      const others = this.#shared.with.get(one) ?? new Set();
      this.#step(others.size + 1);
      for (const other of others) if (large.has(other)) return false;
    }
    for (const one of small) {
      large.add(one);
      this.#chains.set(one, large);
    }
    return true;
  }
}

function chainFrom(head: Located, next: ReadonlyMap<Located, Located>): Chain {
  const members: Located[] = [];
  for (let one: Located | undefined = head; one !== undefined; one = next.get(one)) members.push(one);
  const last = members.at(-1) ?? head;
  return { members, from: head.from, to: last.to, opening: head.opening, closing: last.closing };
}

/** Places that are compared for one statement. One with more is in no chain. */
const MAX_PLACES = 32;

const keyOf = ({ day, cents, currency }: RawTransaction, balance: number): string =>
  `${balance} ${day} ${cents} ${currency}`;

interface Shared {
  with: Map<Located, Set<Located>>;
  /** Statements with too many places to compare. */
  crowded: Set<Located>;
}

/**
 * The statements that have rows in common: those of one from a place with the opening balance of the other on are all
 * rows of the other, or its first ones.
 */
function sharedBy(statements: readonly Located[], step: Step): Shared {
  const firsts = statements.map((one) => {
    const [row] = one.statement.rows;
    return row === undefined || one.opening === undefined ? '' : keyOf(row, one.opening);
  });
  const places = placesOf(statements, new Set(firsts), step);
  const shared: Shared = { with: new Map(statements.map((one) => [one, new Set()])), crowded: new Set() };
  for (const [i, part] of statements.entries()) {
    const found = places.get(firsts[i] ?? '') ?? [];
    step(found.length);
    if (found.length > MAX_PLACES) {
      shared.crowded.add(part);
      continue;
    }
    for (const { whole, at } of found) {
      if (whole === part || !continuesAs(whole, at, part, step)) continue;
      shared.with.get(part)?.add(whole);
      shared.with.get(whole)?.add(part);
    }
  }
  return shared;
}

/** The places of the rows with a key, which has the balance before the row. */
function placesOf(statements: readonly Located[], keys: ReadonlySet<string>, step: Step) {
  const places = new Map<string, { whole: Located; at: number }[]>();
  for (const whole of statements) {
    const { rows, currency } = whole.statement;
    step(rows.length);
    let balance = whole.opening ?? Number.NaN;
    for (const [at, row] of rows.entries()) {
      const key = keyOf(row, balance);
      const found = keys.has(key) ? (places.get(key) ?? []) : [];
      if (keys.has(key) && found.length <= MAX_PLACES) places.set(key, [...found, { whole, at }]);
      if (row.currency === currency) balance += row.cents;
    }
  }
  return places;
}

function continuesAs({ statement: { rows } }: Located, at: number, part: Located, step: Step): boolean {
  const others = part.statement.rows;
  for (let i = 0; i < others.length && at + i < rows.length; i++) {
    step(1);
    const [a, b] = [rows[at + i], others[i]];
    if (a?.day !== b?.day || a?.cents !== b?.cents || a?.currency !== b?.currency) return false;
  }
  return true;
}

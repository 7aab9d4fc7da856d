import type { RawStatement, RawTransaction } from './statement.ts';
import type { Step } from './step.ts';

export interface Located {
  statement: RawStatement;
  /** The days of which it may have all rows, without late rows and other value dates. */
  from: string;
  to: string;
  opening: number | undefined;
  closing: number | undefined;
  sum: number;
}

/** Consecutive statements, which share no rows. */
export interface Chain {
  members: readonly Located[];
  from: string;
  to: string;
  opening: number | undefined;
  closing: number | undefined;
}

/** By the days of the printed balances, else by those of the rows. */
export function locate(statement: RawStatement, step: Step): Located {
  const { rows, currency, opening, closing } = statement;
  step(rows.length + 1);
  const own = rows.filter((row) => row.currency === currency);
  const [first] = own;
  const before = first?.balance === undefined ? undefined : first.balance - first.cents;
  let [earliest = '', latest = ''] = [rows[0]?.day, rows[0]?.day];
  for (const { day } of rows) {
    if (day < earliest) earliest = day;
    if (day > latest) latest = day;
  }
  const to = closing?.day || latest;
  // Some banks date the opening balance a day before the first row.
  const from = [opening?.day || earliest, earliest].toSorted().at(-1) ?? to;
  return {
    statement,
    from: from < to ? from : to,
    to,
    opening: opening?.cents ?? before,
    closing: closing?.cents ?? own.at(-1)?.balance,
    sum: own.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/**
 * Links each statement to the one with its opening balance that ends last before it. A chain has no row twice, so that
 * a recurring balance links no statement with a part of itself.
 */
export function chainsOf(statements: readonly Located[], step: Step): Chain[] {
  const links = new Links(statements, step);
  // Statements of one day are in the order of the file, or reversed.
  for (const list of [statements, statements.toReversed()]) linkInOrder(list, links, step);
  return statements.filter((one) => !links.previous.has(one)).map((head) => chainFrom(head, links.next));
}

function linkInOrder(list: readonly Located[], links: Links, step: Step): void {
  const order = new Map(list.map((one, i) => [one, i]));
  const placeOf = (one: Located): number => order.get(one) ?? 0;
  const isBefore = (a: Located, b: Located): boolean =>
    a.to < b.from || (a.to === b.from && (a.to < b.to || placeOf(a) < placeOf(b)));
  const ending = list
    .filter((one) => one.closing !== undefined && !links.next.has(one))
    .toSorted((a, b) => compare(a.to, b.to));
  const beginning = list
    .filter((one) => one.opening !== undefined && !links.previous.has(one))
    .toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
  // The latest ones, by closing balance.
  const open = new Map<number | undefined, Located[]>();
  let at = 0;
  for (const one of beginning) {
    for (let other = ending[at]; other !== undefined && isBefore(other, one); at++, other = ending[at]) {
      if (other.to !== ending[at - 1]?.to) open.clear();
      const sameBalance = open.get(other.closing) ?? [];
      sameBalance.push(other);
      open.set(other.closing, sameBalance);
    }
    const before = open.get(one.opening) ?? [];
    const tried = before.slice(-MAX_PLACES);
    step(tried.length + 1);
    const found = tried.findLastIndex((other) => links.join(other, one));
    if (found !== -1) before.splice(found - tried.length, 1);
  }
}

/** Compares by code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

class Links {
  readonly next = new Map<Located, Located>();
  readonly previous = new Set<Located>();
  readonly #chains: Map<Located, Set<Located>>;
  readonly #shared: Shared;
  readonly #step: Step;

  constructor(statements: readonly Located[], step: Step) {
    this.#chains = new Map(statements.map((one) => [one, new Set([one])]));
    this.#shared = sharedBy(statements, step);
    this.#step = step;
  }

  /** Links two statements. False if their chains are the same, or share rows. */
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
    this.next.set(a, b);
    this.previous.add(b);
    return true;
  }
}

function chainFrom(head: Located, next: ReadonlyMap<Located, Located>): Chain {
  const members: Located[] = [];
  for (let one: Located | undefined = head; one !== undefined; one = next.get(one)) members.push(one);
  const last = members.at(-1) ?? head;
  return { members, from: head.from, to: last.to, opening: head.opening, closing: last.closing };
}

/** Statements with more places to compare are in no chain. */
const MAX_PLACES = 32;

const keyOf = ({ day, cents, currency }: RawTransaction, balance: number): string =>
  `${balance} ${day} ${cents} ${currency}`;

interface Shared {
  with: Map<Located, Set<Located>>;
  /** Statements with too many places. */
  crowded: Set<Located>;
}

/** Statements that share rows: after a place with the other's opening balance, one has only rows of the other. */
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
    for (const { whole, at, newest } of found) {
      const canFollow = whole.to === part.from || part.to === whole.from;
      if (whole === part || !canFollow || newest > part.to || !continuesAs(whole, at, part, step)) continue;
      shared.with.get(part)?.add(whole);
      shared.with.get(whole)?.add(part);
    }
  }
  return shared;
}

interface Place {
  whole: Located;
  at: number;
  /** Latest day of the rows before it. */
  newest: string;
}

/** Places by the balance before the row. */
function placesOf(statements: readonly Located[], keys: ReadonlySet<string>, step: Step) {
  const places = new Map<string, Place[]>();
  for (const whole of statements) {
    const { rows, currency } = whole.statement;
    step(rows.length);
    let balance = whole.opening ?? Number.NaN;
    let newest = '';
    for (const [at, row] of rows.entries()) {
      const key = keyOf(row, balance);
      const found = keys.has(key) ? (places.get(key) ?? []) : [];
      if (keys.has(key) && found.length <= MAX_PLACES) places.set(key, [...found, { whole, at, newest }]);
      if (row.currency === currency) balance += row.cents;
      if (row.day > newest) newest = row.day;
    }
  }
  return places;
}

function continuesAs(whole: Located, at: number, part: Located, step: Step): boolean {
  const [{ rows }, { rows: others }] = [whole.statement, part.statement];
  // The one with more rows must not end first.
  const more = rows.length - at - others.length;
  if (more > 0 ? part.to > whole.to : more < 0 && whole.to > part.to) return false;
  for (let i = 0; i < others.length && at + i < rows.length; i++) {
    step(1);
    const [a, b] = [rows[at + i], others[i]];
    if (a?.day !== b?.day || a?.cents !== b?.cents || a?.currency !== b?.currency) return false;
    if (a?.reference && b?.reference && a.reference !== b.reference) return false;
  }
  return true;
}

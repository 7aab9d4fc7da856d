import { formatMoney } from '@finhook/contracts/currency';
import type { EndConflict } from './join-statements.ts';
import { pairRows, type RowPair } from './pair-rows.ts';
import type { FileProblem, RawStatement, RawTransaction } from './statement.ts';
import { type Chain, chainsOf, compare, type Located, locate } from './statement-chains.ts';
import type { Step } from './step.ts';
import { repeatedIn } from './values.ts';

export interface Joined {
  /** Without rows of other statements and without balances of the middle of a day. */
  statements: RawStatement[];
  conflicts: EndConflict[];
  problems: FileProblem[];
}

/**
 * Keeps rows once that several statements have. Each day has as many rows of an amount as the statement with the most
 * of them; with balances, the kept rows must explain these.
 */
export function joinOverlaps(statements: readonly RawStatement[], step: Step): Joined {
  const joined: Joined = { statements: [], conflicts: [], problems: [] };
  const left = new Map<RawStatement, RawStatement>();
  const located = statements.filter(({ rows }) => rows.length > 0).map((statement) => locate(statement, step));
  const groups = Map.groupBy(located, ({ statement }) => JSON.stringify([statement.account, statement.currency]));
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const inTime = overlapping(chainsOf(group, step));
    joined.problems.push(...inTime.slice(1).flatMap((chains, i) => gapBetween(inTime[i] ?? [], chains)));
    for (const chains of inTime) if (chains.length > 1) joinChains(chains, { joined, left }, step);
  }
  joined.statements = statements.map((statement) => left.get(statement) ?? statement);
  return joined;
}

/** Groups of chains that share days, in order of days. */
function overlapping(chains: readonly Chain[]): Chain[][] {
  const groups: Chain[][] = [];
  let end = '';
  for (const chain of chains.toSorted((a, b) => compare(a.from, b.from))) {
    if (chain.from > end) groups.push([]);
    groups.at(-1)?.push(chain);
    if (chain.to > end) end = chain.to;
  }
  return groups;
}

function boundsOf(chains: readonly Chain[]): { openings: number[]; closings: number[] } {
  const from = chains[0]?.from;
  const to = chains.reduce((last, chain) => (chain.to > last ? chain.to : last), '');
  return {
    openings: chains.filter((chain) => chain.from === from).flatMap(({ opening }) => opening ?? []),
    closings: chains.filter((chain) => chain.to === to).flatMap(({ closing }) => closing ?? []),
  };
}

function gapBetween(before: readonly Chain[], after: readonly Chain[]): FileProblem[] {
  const { closings } = boundsOf(before);
  const { openings } = boundsOf(after);
  const [[closing], [opening], [next]] = [closings, openings, after[0]?.members ?? []];
  if (closing === undefined || opening === undefined || next === undefined) return [];
  if (openings.some((cents) => closings.includes(cents))) return [];
  const { account, currency, line, file } = next.statement;
  const message =
    `a statement of ${account || 'the account'} opens with ${formatMoney(opening, currency)}, and the one before it ` +
    `closes with ${formatMoney(closing, currency)}: the file does not have the rows between them`;
  return [{ file, line, column: 1, code: 'gap', message }];
}

interface Result {
  joined: Joined;
  left: Map<RawStatement, RawStatement>;
}

function joinChains(chains: readonly Chain[], { joined, left }: Result, step: Step): void {
  const all = chains.flatMap(({ members }) => members);
  const { pairs, kept } = pairDuplicates(chains, step);
  const proof = prove(chains, kept);
  const dropped = new Set(pairs.map(({ row }) => row));
  const isMiddle = proof.kind === 'proved' ? middleOfDay(all, kept, proof.opening, step) : () => false;
  for (const { statement } of all) {
    step(statement.rows.length + statement.ends.length);
    left.set(statement, {
      ...statement,
      rows: statement.rows.filter((row) => !dropped.has(row)),
      ends: statement.ends.filter((end) => end.currency !== statement.currency || !isMiddle(end)),
    });
  }
  if (proof.kind === 'contradicted') joined.conflicts.push(conflictOf(all, proof));
  const fileOf = new Map(all.flatMap(({ statement: { rows, file } }) => rows.map((row) => [row, file] as const)));
  for (const pair of pairs) if (!pair.isSure) joined.problems.push(uncertainPairs(pair, proof, fileOf));
}

/** Pairs the rows of each chain with those of the chains before it. */
function pairDuplicates(chains: readonly Chain[], step: Step): { pairs: RowPair[]; kept: RawTransaction[] } {
  const pairs: RowPair[] = [];
  const kept = new Map<string, RawTransaction[]>();
  const lists = chains.flatMap(({ members }) => members.map(({ statement }) => statement.rows));
  const reused = new Set(lists.flatMap((rows) => [...repeatedIn(rows.map(({ reference }) => reference))]));
  for (const { members } of chains) {
    const rows = members.flatMap(({ statement }) => statement.rows);
    step(rows.length);
    const alike = Map.groupBy(rows, ({ day, cents, currency }) => `${day} ${cents} ${currency}`);
    for (const [key, more] of alike) {
      const known = kept.get(key) ?? [];
      const found = pairRows({ rows: more, known, reused }, step);
      const taken = new Set(found.map(({ row }) => row));
      pairs.push(...found);
      kept.set(key, [...known, ...more.filter((row) => !taken.has(row))]);
    }
  }
  return { pairs, kept: [...kept.values()].flat() };
}

type Proof =
  | { kind: 'open' }
  | { kind: 'proved'; opening: number }
  | { kind: 'contradicted'; computed: number; written: number };

/** Compares the kept rows with the first opening and the last closing balance. */
function prove(chains: readonly Chain[], kept: readonly RawTransaction[]): Proof {
  const { openings, closings } = boundsOf(chains);
  const currency = chains[0]?.members[0]?.statement.currency;
  const sum = kept.reduce((total, row) => (row.currency === currency ? total + row.cents : total), 0);
  const [first] = openings;
  const [written] = closings;
  // A statement whose own rows don't explain its balances is reported elsewhere.
  if (first === undefined || written === undefined || !chains.every(isSound)) return { kind: 'open' };
  const ends = new Set(closings);
  const opening = openings.find((cents) => ends.has(cents + sum));
  return opening === undefined ? { kind: 'contradicted', computed: first + sum, written } : { kind: 'proved', opening };
}

function isSound({ members }: Chain): boolean {
  return members.every(
    ({ opening, closing, sum, statement }) =>
      statement.unread === undefined && (opening === undefined || closing === undefined || opening + sum === closing),
  );
}

/** True for a balance that is not the last of its day, by the rows. */
function middleOfDay(all: readonly Located[], kept: readonly RawTransaction[], opening: number, step: Step) {
  const { currency } = all[0]?.statement ?? {};
  const ends = all.flatMap(({ statement }) => statement.ends.filter((end) => end.currency === currency));
  const rows = kept.filter((row) => row.currency === currency).toSorted((a, b) => compare(a.day, b.day));
  step(rows.length + ends.length);
  const last = new Map<string, number>();
  let balance = opening;
  let at = 0;
  for (const day of [...new Set(ends.map((end) => end.day))].sort()) {
    for (let row = rows[at]; row !== undefined && row.day <= day; row = rows[at]) {
      balance += row.cents;
      at += 1;
    }
    last.set(day, balance);
  }
  const explained = new Set(ends.filter(({ day, cents }) => last.get(day) === cents).map(({ day }) => day));
  return ({ day, cents }: { day: string; cents: number }) => explained.has(day) && last.get(day) !== cents;
}

function conflictOf(
  all: readonly Located[],
  { computed, written }: { computed: number; written: number },
): EndConflict {
  const [{ account, currency }] = [all[0]?.statement ?? { account: '', currency: '' }];
  const last = all.at(-1);
  const message =
    `statements of ${account || 'the account'} share days, and together their rows do not explain its balance: by the ` +
    `rows it is ${formatMoney(computed, currency)}, and the bank wrote ${formatMoney(written, currency)}`;
  const { file, line = 1 } = last?.statement ?? {};
  return { account, currency, problem: { file, line, column: 1, code: 'totals', message } };
}

/** Only day and amount match, and perhaps the balances. */
function uncertainPairs(
  { row, known }: RowPair,
  { kind }: Proof,
  fileOf: ReadonlyMap<RawTransaction, string | undefined>,
): FileProblem {
  const [file, other] = [fileOf.get(row), fileOf.get(known)];
  const place = `line ${known.line}${other === undefined || other === file ? '' : ` of ${other}`}`;
  const reason = `the row is left out: ${place} has its day and amount with another text, and the statements share days`;
  const at = { file, line: row.line, column: 1 };
  if (kind === 'proved') return { ...at, code: 'note', message: `${reason}. The balances count one of them` };
  const advice = 'If it is another transaction, import the statements as files of their own';
  return { ...at, code: 'row', message: `${reason}. ${advice}` };
}

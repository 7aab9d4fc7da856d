import { formatMoney } from '@finhook/contracts/currency';
import type { FileProblem, RawBalance, RawStatement, Reading } from './statement.ts';
import type { Step } from './step.ts';

/** The first row or balance at which a statement's rows don't explain its balances. */
export interface Contradiction {
  statement: RawStatement;
  line: number;
  /** The written and the computed balance; undefined for an unreadable row. */
  sums?: { written: Money; computed: Money };
}

type Money = Pick<RawBalance, 'cents' | 'currency'>;

type Verdict = { kind: 'proved' } | { kind: 'open' } | { kind: 'contradicted'; contradiction: Contradiction };

/**
 * Compares the printed balances with the rows. An unreadable row contradicts, unless the others explain all balances.
 */
function verdictOf(statement: RawStatement, step: Step): Verdict {
  const { rows, opening, closing, unread } = statement;
  const { currency } = opening ?? closing ?? statement;
  let balance = opening?.cents;
  let proofs = 0;
  step(rows.length + 1);
  for (const row of rows) {
    // An amount of another currency doesn't change the balance.
    const computed = balance === undefined || row.currency !== currency ? balance : balance + row.cents;
    if (computed !== undefined && row.balance !== undefined) {
      if (computed !== row.balance)
        return contradicted(statement, row.line, { cents: row.balance, currency }, { cents: computed, currency });
      proofs += 1;
    }
    balance = row.balance ?? computed;
  }
  if (closing !== undefined && balance !== undefined) {
    if (balance !== closing.cents || closing.currency !== currency)
      return contradicted(statement, unread ?? statement.line, closing, { cents: balance, currency });
    proofs += 1;
  }
  const isWhole = opening !== undefined && closing !== undefined;
  if (unread !== undefined && !isWhole && rows.some((row) => row.balance !== undefined)) {
    return { kind: 'contradicted', contradiction: { statement, line: unread } };
  }
  return { kind: proofs > 0 ? 'proved' : 'open' };
}

function contradicted(statement: RawStatement, line: number, written: Money, computed: Money): Verdict {
  return { kind: 'contradicted', contradiction: { statement, line, sums: { written, computed } } };
}

function contradictionsOf(reading: Reading, step: Step): Contradiction[] {
  return reading.statements.flatMap((statement) => {
    const verdict = verdictOf(statement, step);
    return verdict.kind === 'contradicted' ? [verdict.contradiction] : [];
  });
}

/** Proved if one statement proves it and none contradicts it. */
function kindOf({ statements }: Reading, step: Step): Verdict['kind'] {
  let kind: Verdict['kind'] = 'open';
  for (const statement of statements) {
    const verdict = verdictOf(statement, step);
    if (verdict.kind === 'contradicted') return verdict.kind;
    if (verdict.kind === 'proved') kind = verdict.kind;
  }
  return kind;
}

/** The remaining readings: one, if the file decides. */
export interface Decision<R extends Reading> {
  readings: readonly [R, ...R[]];
  /** If all readings are contradicted: the contradictions of the first. */
  contradictions: readonly Contradiction[];
}

/** Chooses the readings that balances prove, else those that they leave open, else those that need no proof. */
export function decide<R extends Reading>(readings: Iterable<R>, step: Step): Decision<R> | undefined {
  const found: Record<Verdict['kind'], R[]> = { proved: [], open: [], contradicted: [] };
  for (const reading of readings) {
    const kind = kindOf(reading, step);
    if (kind === 'proved' || reading.needsProof !== true) found[kind].push(reading);
  }
  const lists = [withAscendingDays(found.proved, step), withAscendingDays(found.open, step), found.contradicted];
  const [first, ...others] = uniqueReadings(lists.find((list) => list.length > 0) ?? [], step);
  if (first === undefined) return undefined;
  const isContradicted = found.contradicted.includes(first);
  return { readings: [first, ...others], contradictions: isContradicted ? contradictionsOf(first, step) : [] };
}

/** If readings differ only in the order of rows, keeps those with ascending days, if any. */
function withAscendingDays<R extends Reading>(readings: readonly R[], step: Step): R[] {
  if (readings.length < 2) return [...readings];
  const groups = Map.groupBy(readings, ({ choices }) =>
    Object.entries(choices)
      .flatMap(([code, { value }]) => (code === 'order' ? [] : [`${code} ${value}`]))
      .sort()
      .join('\n'),
  );
  const likely = new Set(
    [...groups.values()].flatMap((group) => {
      const ascending = group.length > 1 ? group.filter((reading) => areDaysAscending(reading, step)) : [];
      return ascending.length > 0 ? ascending : group;
    }),
  );
  return readings.filter((reading) => likely.has(reading));
}

/** Booking order rarely goes back in days. */
function areDaysAscending({ statements }: Reading, step: Step): boolean {
  return statements.every(({ rows }) => {
    step(rows.length);
    return rows.every(({ day }, i) => day >= (rows[i - 1]?.day ?? ''));
  });
}

/** Drops readings with the same rows and balances as an earlier one. */
function uniqueReadings<R extends Reading>(readings: readonly R[], step: Step): R[] {
  if (readings.length < 2) return [...readings];
  const seen = new Set<string>();
  return readings.filter((reading) => {
    const content = contentOf(reading, step);
    const isNew = !seen.has(content);
    seen.add(content);
    return isNew;
  });
}

function contentOf({ statements }: Reading, step: Step): string {
  const lines = statements.flatMap(({ account, rows, ends }) => {
    step(rows.length + ends.length + 1);
    return [
      ...rows.map(({ line, day, cents, currency }) => `${account} ${line} ${day} ${cents} ${currency}`),
      ...ends.map(({ day, cents, currency }) => `${account} ${day} ${cents} ${currency}`),
    ];
  });
  return lines.sort().join('\n');
}

export function totalsProblem({ statement, line, sums }: Contradiction): FileProblem {
  const { account } = statement;
  const textOf = ({ cents, currency }: Money): string => formatMoney(cents, currency);
  const reason = sums
    ? `by the rows it is ${textOf(sums.computed)}, and the bank wrote ${textOf(sums.written)}`
    : 'this row cannot be read';
  const message = `the rows of ${account || 'the account'} do not explain its balance: ${reason}`;
  return { line, column: 1, code: 'totals', message };
}

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

/**
 * Compares the printed balances with the rows. An unreadable row contradicts, unless the others explain all balances.
 */
function judgeStatement(statement: RawStatement, step: Step): 'proved' | 'open' | Contradiction {
  const { rows, opening, closing, unread } = statement;
  const { currency } = opening ?? closing ?? statement;
  let balance = opening?.cents;
  let isProved = false;
  step(rows.length + 1);
  for (const { cents, line, balance: printed, ...row } of rows) {
    // An amount of another currency doesn't change the balance.
    const computed = balance === undefined || row.currency !== currency ? balance : balance + cents;
    if (computed !== undefined && printed !== undefined) {
      const sums = { written: { cents: printed, currency }, computed: { cents: computed, currency } };
      if (computed !== printed) return { statement, line, sums };
      isProved = true;
    }
    balance = printed ?? computed;
  }
  if (closing !== undefined && balance !== undefined) {
    const sums = { written: closing, computed: { cents: balance, currency } };
    if (balance !== closing.cents || closing.currency !== currency)
      return { statement, line: unread ?? statement.line, sums };
    isProved = true;
  }
  const isWhole = opening !== undefined && closing !== undefined;
  if (unread !== undefined && !isWhole && rows.some((row) => row.balance !== undefined))
    return { statement, line: unread };
  return isProved ? 'proved' : 'open';
}

interface Verdict {
  kind: 'proved' | 'open' | 'contradicted';
  contradictions: readonly Contradiction[];
}

/** Proved if one statement proves it and none contradicts it. */
function judge({ statements }: Reading, step: Step): Verdict {
  const results = statements.map((statement) => judgeStatement(statement, step));
  const contradictions = results.filter((result) => typeof result !== 'string');
  const kind = contradictions.length > 0 ? 'contradicted' : results.includes('proved') ? 'proved' : 'open';
  return { kind, contradictions };
}

/** The remaining readings: one, if the file decides. */
export interface Decision<R extends Reading> {
  readings: readonly [R, ...R[]];
  /** If all readings are contradicted: the contradictions of the first. */
  contradictions: readonly Contradiction[];
}

/** Chooses the readings that balances prove, else those that they leave open, else those that need no proof. */
export function decide<R extends Reading>(readings: Iterable<R>, step: Step): Decision<R> | undefined {
  const judged = Array.from(readings, (reading) => ({ reading, ...judge(reading, step) }));
  const found = (kind: Verdict['kind']): R[] =>
    judged.flatMap((one) => (one.kind === kind && (kind === 'proved' || !one.reading.needsProof) ? [one.reading] : []));
  const lists = [
    withAscendingDays(found('proved'), step),
    withAscendingDays(found('open'), step),
    found('contradicted'),
  ];
  const [first, ...others] = uniqueReadings(lists.find((list) => list.length > 0) ?? [], step);
  if (first === undefined) return undefined;
  return {
    readings: [first, ...others],
    contradictions: judged.find(({ reading }) => reading === first)?.contradictions ?? [],
  };
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

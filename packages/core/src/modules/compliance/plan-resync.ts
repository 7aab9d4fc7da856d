import { addDays } from '../../time/calendar.ts';
import { addYears } from './business-days.ts';
import { type DueDate, dueDates } from './due-dates.ts';
import { type KnownFiling, type MatrixRow, rowName, textsOf } from './matrix.ts';
import type { Obligation } from './obligation.ts';
import { type CompanyFacts, selectObligations } from './select-obligations.ts';

export interface ResyncInput {
  facts: CompanyFacts;
  /** `YYYY-MM-DD` in the company's time zone. */
  today: string;
  /** Last day of the previous resync's window; null for the first resync. */
  coveredTo: string | null;
  stored: readonly MatrixRow[];
  filings: readonly KnownFiling[];
}

interface Change {
  key: string;
  change: 'added' | 'changed' | 'removed';
}

export interface ResyncPlan {
  /** The last day for which filings are opened. */
  windowEnd: string;
  rows: MatrixRow[];
  toOpen: MatrixRow[];
  changes: Change[];
  added: number;
  changed: number;
  removed: number;
  leftOpen: string[];
}

/** Limit in years for the next due date of a rare obligation. */
const HORIZON_YEARS = 3;

export function windowEndOf(today: string): string {
  return addDays(addYears(today, 1), -1);
}

function nextDates(obligation: Obligation, facts: CompanyFacts, today: string, windowEnd: string): DueDate[] {
  const inWindow = dueDates(obligation, facts, today, windowEnd);
  if (inWindow.length > 0) return inWindow;
  return dueDates(obligation, facts, addDays(windowEnd, 1), addYears(today, HORIZON_YEARS)).slice(0, 1);
}

/** Comparable content of each obligation's rows, by key. Rows up to `windowEnd` are about to get a filing. */
function signatures(rows: readonly MatrixRow[], windowEnd: string | null): Map<string, string> {
  const parts = new Map<string, string[]>();
  for (const row of rows) {
    const { title, filing_type, jurisdiction, frequency, source, note } = row.texts;
    const texts = [title, filing_type, jurisdiction, frequency, source.url, source.basis, source.looked_up_on, note];
    const filing = row.filing_id ?? (windowEnd !== null && row.due_date <= windowEnd ? 'new' : null);
    const part = JSON.stringify([row.due_date, row.period_start, row.period_end, filing, texts]);
    parts.set(row.key, [...(parts.get(row.key) ?? []), part]);
  }
  return new Map([...parts].map(([key, list]) => [key, list.sort().join()]));
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  const kept = [...after].filter(([key, signature]) => before.get(key) !== signature);
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return [
    ...kept.map(([key]): Change => ({ key, change: before.has(key) ? 'changed' : 'added' })),
    ...removed.map((key): Change => ({ key, change: 'removed' })),
  ];
}

/**
 * Opens filings for due dates within a year from `today`, and for those since the window of the previous resync. A past
 * due date stays while its filing is open and its obligation owed. Existing filings never change.
 */
export function planResync({ facts, today, coveredTo, stored, filings }: ResyncInput): ResyncPlan {
  const windowEnd = windowEndOf(today);
  const known = new Map(filings.map((filing) => [rowName(filing), filing]));
  const owed = selectObligations(facts);
  const rowsOf = (obligation: Obligation, dates: readonly DueDate[]): MatrixRow[] =>
    dates.map((date) => {
      const row = { ...date, key: obligation.key, texts: textsOf(obligation) };
      return { ...row, filing_id: known.get(rowName(row))?.id ?? null };
    });
  const wanted = owed.flatMap((obligation) => rowsOf(obligation, nextDates(obligation, facts, today, windowEnd)));
  const keys = new Set(owed.map(({ key }) => key));
  const isOpen = (row: MatrixRow): boolean => known.get(rowName(row))?.isOpen ?? false;
  const late = stored.filter((row) => row.due_date < today && keys.has(row.key) && isOpen(row));
  // From the covered day itself, not the next one: a new time zone may have moved the window by a day.
  const uncovered = coveredTo ?? today;
  const oldest = filings.reduce(
    (day, filing) => (filing.isOpen && filing.due_date < day ? filing.due_date : day),
    uncovered,
  );
  const passed = owed
    .flatMap((obligation) => rowsOf(obligation, dueDates(obligation, facts, oldest, addDays(today, -1))))
    .filter((row) => (row.filing_id === null ? row.due_date >= uncovered : isOpen(row)));
  const named = new Map([...passed, ...late, ...wanted].map((row) => [rowName(row), row]));
  const rows = [...named.values()].sort((a, b) => (a.due_date === b.due_date ? 0 : a.due_date < b.due_date ? -1 : 1));
  const [before, after] = [signatures(stored, null), signatures(rows, windowEnd)];
  const changes = compare(before, after);
  const count = (kind: Change['change']): number => changes.filter(({ change }) => change === kind).length;
  return {
    windowEnd,
    rows,
    changes,
    toOpen: rows.filter((row) => row.filing_id === null && row.due_date <= windowEnd),
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    leftOpen: stored.flatMap((row) =>
      row.filing_id !== null && isOpen(row) && !named.has(rowName(row)) ? [row.filing_id] : [],
    ),
  };
}

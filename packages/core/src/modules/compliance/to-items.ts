import {
  type ComplianceDueDate,
  type ComplianceItem,
  type ComplianceStatus,
  complianceDueDate,
} from '@finhook/contracts';
import { record } from '../../kernel/record.ts';
import type { MatrixRow } from './matrix-row.ts';

const byUrgency: readonly ComplianceStatus[] = ['overdue', 'open', 'upcoming', 'submitted'];

function toDueDate(row: MatrixRow, openFilings: ReadonlySet<string>, today: string): ComplianceDueDate {
  const submitted = row.filing_id !== null && !openFilings.has(row.filing_id);
  const ahead = row.filing_id === null ? 'upcoming' : 'open';
  const unsubmitted = row.due_date < today ? 'overdue' : ahead;
  return record(complianceDueDate, row, { status: submitted ? 'submitted' : unsubmitted });
}

/**
 * One item per obligation, by its next due date; submitted ones come last. `openFilings` are ids of open filings,
 * `today` is a date in the company's time zone.
 */
export function toItems(rows: readonly MatrixRow[], openFilings: ReadonlySet<string>, today: string): ComplianceItem[] {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const items = [...byKey].map(([key, group]): ComplianceItem => {
    const dates = group
      .map((row) => toDueDate(row, openFilings, today))
      .sort((a, b) => (a.due_date < b.due_date ? -1 : 1));
    const next = dates.find(({ status }) => status !== 'submitted');
    const texts = group.at(-1)?.texts;
    if (!texts) throw new Error(`The obligation ${key} has no due date.`);
    return {
      key,
      ...texts,
      next_due_date: next?.due_date ?? null,
      status: byUrgency.find((status) => dates.some((date) => date.status === status)) ?? 'submitted',
      due_dates: dates,
    };
  });
  const sortKey = (item: ComplianceItem): string => `${item.next_due_date ?? '9999'}|${item.key}`;
  return items.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

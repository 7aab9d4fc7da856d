import type { Outputs } from '../../lib/trpc.ts';

export type Filing = Outputs['filings']['get'];
export type Matrix = Outputs['compliance']['get'];
type DueStatus = Matrix['items'][number]['status'];

export interface DueEntry {
  key: string;
  title: string;
  day: string;
  status: DueStatus;
  filingId?: string;
}

const DAYS = 7;

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function weeksOf(month: string): string[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const start = new Date(first);
  start.setUTCDate(1 - ((first.getUTCDay() + DAYS - 1) % DAYS));
  const weeks: string[][] = [];
  const day = new Date(start);
  do {
    weeks.push(
      Array.from({ length: DAYS }, () => {
        const text = dayOf(day.getTime());
        day.setUTCDate(day.getUTCDate() + 1);
        return text;
      }),
    );
  } while (dayOf(day.getTime()).startsWith(month));
  return weeks;
}

function statusOf({ status, overdue }: Filing): DueStatus {
  return overdue ? 'overdue' : status;
}

/** What is overdue in months other than this one: no month hides it. */
export function overdueElsewhere(month: string, overdue: readonly Filing[], matrix: Matrix | undefined): DueEntry[] {
  const entries = [...entriesByDay(overdue, matrix).values()].flat();
  return entries.filter(({ day, status }) => status === 'overdue' && !day.startsWith(month));
}

export function entriesByDay(filings: readonly Filing[], matrix: Matrix | undefined): Map<string, DueEntry[]> {
  const entries: DueEntry[] = filings.map((filing) => ({
    key: filing.id,
    title: filing.title,
    day: filing.due_date,
    status: statusOf(filing),
    filingId: filing.id,
  }));
  for (const item of matrix?.items ?? []) {
    for (const due of item.due_dates) {
      if (due.filing_id !== null) continue;
      entries.push({ key: `${item.key} ${due.due_date}`, title: item.title, day: due.due_date, status: due.status });
    }
  }
  return Map.groupBy(
    entries.toSorted((a, b) => a.day.localeCompare(b.day) || a.title.localeCompare(b.title)),
    ({ day }) => day,
  );
}

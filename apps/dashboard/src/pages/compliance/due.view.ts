import { formatCount } from '../../lib/format-number.ts';
import { plural } from '../../lib/text.ts';
import { daysBetween } from '../../lib/zoned-time.ts';
import type { Filing, Matrix } from './calendar.view.ts';

/** A due date that is not submitted; it has no filing if only the obligation is known. */
export interface Due {
  key: string;
  title: string;
  day: string;
  /** Until it is due; negative if it is overdue. */
  days: number;
  jurisdiction: string | null;
  filing?: Filing;
}

export interface DueGroup {
  title: 'Overdue' | 'Next 30 days' | 'Later';
  due: readonly Due[];
}

const SOON_DAYS = 30;

/** Groups that are not empty, each by due date; of filings alone without a matrix. */
export function dueGroups(filings: readonly Filing[], matrix: Matrix | undefined, today: string): DueGroup[] {
  const due = [...openFilings(filings), ...(matrix ? expected(matrix) : [])]
    .map((one): Due => ({ ...one, days: daysBetween(today, one.day) }))
    .sort((a, b) => a.day.localeCompare(b.day) || a.title.localeCompare(b.title));
  const byTitle = Map.groupBy(due, ({ days }): DueGroup['title'] => {
    if (days < 0) return 'Overdue';
    return days <= SOON_DAYS ? 'Next 30 days' : 'Later';
  });
  return [...byTitle].map(([title, group]) => ({ title, due: group }));
}

function openFilings(filings: readonly Filing[]): Array<Omit<Due, 'days'>> {
  return filings
    .filter(({ status }) => status === 'open')
    .map((filing) => ({
      key: filing.id,
      title: filing.title,
      day: filing.due_date,
      jurisdiction: filing.jurisdiction,
      filing,
    }));
}

/** Due dates of obligations that no filing was created for. */
function expected({ items }: Matrix): Array<Omit<Due, 'days'>> {
  return items.flatMap(({ key, title, jurisdiction, due_dates }) =>
    due_dates
      .filter(({ filing_id, status }) => filing_id === null && status !== 'submitted')
      .map(({ due_date: day }) => ({ key: `${key} ${day}`, title, day, jurisdiction })),
  );
}

export function dueText(days: number): string {
  if (days < 0) return `${plural(-days, 'day')} overdue`;
  if (days === 0) return 'Due today';
  return days === 1 ? 'Due tomorrow' : `Due in ${formatCount(days)} days`;
}

import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { formatDay, formatMonth } from '../../lib/format-time.ts';
import { monthAfter } from '../../lib/periods.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OpenLink } from '../../operation/resource-list.tsx';
import { type DueEntry, entriesByDay, overdueElsewhere, weeksOf } from './calendar.view.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export interface CalendarProps {
  month: string;
  today: string;
  onMonth: (month: string) => void;
}

export function Calendar({ month, today, onMonth }: CalendarProps): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const weeks = weeksOf(month);
  const filings = useQuery(
    trpc.filings.list.queryOptions({
      company_id: company.id,
      due_from: weeks[0]?.[0],
      due_to: weeks.at(-1)?.at(-1),
      order: 'asc',
      limit: 200,
    }),
  );
  const overdue = useQuery(
    trpc.filings.list.queryOptions({ company_id: company.id, overdue: true, order: 'asc', limit: 200 }),
  );
  const matrix = useQuery(trpc.compliance.get.queryOptions({ company_id: company.id }));
  const error = [filings, overdue, matrix].find(({ data }) => data === undefined)?.error;
  const entries = entriesByDay(filings.data?.data ?? [], matrix.data);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" repeats onClick={() => onMonth(monthAfter(month, -1))} aria-label="Previous month">
          ←
        </Button>
        <p aria-live="polite" className="min-w-28 text-center font-medium">
          {formatMonth(month)}
        </p>
        <Button size="small" repeats onClick={() => onMonth(monthAfter(month, 1))} aria-label="Next month">
          →
        </Button>
        <Button size="small" variant="quiet" onClick={() => onMonth(today.slice(0, 7))}>
          This month
        </Button>
      </div>
      {error && (
        <ErrorState
          error={error}
          onRetry={() => void Promise.all([filings, overdue, matrix].map(({ refetch }) => refetch()))}
        />
      )}
      {(filings.isPending || overdue.isPending) && !error ? (
        <Loading label="Loading due dates" lines={6} />
      ) : (
        <>
          <MonthGrid month={month} weeks={weeks} today={today} entries={entries} />
          <DayList
            month={month}
            entries={entries}
            overdue={overdueElsewhere(month, overdue.data?.data ?? [], matrix.data)}
          />
        </>
      )}
    </div>
  );
}

interface MonthProps {
  month: string;
  entries: ReadonlyMap<string, readonly DueEntry[]>;
}

function MonthGrid({ month, weeks, today, entries }: MonthProps & { weeks: string[][]; today: string }) {
  return (
    <table className="hidden w-full table-fixed border-collapse md:table">
      <caption className="sr-only">Due dates in {formatMonth(month)}</caption>
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" className="border-b p-2 text-left text-xs font-medium text-muted">
              <abbr title={name} className="no-underline">
                {name.slice(0, 3)}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                aria-current={day === today ? 'date' : undefined}
                className="h-24 border p-1 align-top aria-[current=date]:bg-accent-soft"
              >
                <time dateTime={day} className={`text-xs ${day.startsWith(month) ? 'font-medium' : 'text-muted'}`}>
                  {Number(day.slice(8))}
                </time>
                <ul className="mt-1 flex flex-col gap-1">
                  {entries.get(day)?.map((entry) => (
                    <li key={entry.key} className="truncate text-xs" title={entry.title}>
                      <EntryLink entry={entry} />
                    </li>
                  ))}
                </ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayList({ month, entries, overdue }: MonthProps & { overdue: readonly DueEntry[] }): React.JSX.Element {
  const days = [...entries].filter(([day]) => day.startsWith(month));
  return (
    <div className="flex flex-col gap-4 md:hidden">
      {overdue.length > 0 && (
        <section aria-label="Overdue">
          <h3 className="pb-2 text-sm font-semibold">Overdue</h3>
          <Days days={[...Map.groupBy(overdue, ({ day }) => day)]} />
        </section>
      )}
      {days.length > 0 ? (
        <Days days={days} />
      ) : (
        <EmptyState title={overdue.length > 0 ? 'Nothing else due this month' : 'Nothing due this month'} />
      )}
    </div>
  );
}

function Days({ days }: { days: ReadonlyArray<readonly [day: string, due: readonly DueEntry[]]> }): React.JSX.Element {
  return (
    <ul className="flex flex-col gap-3">
      {days.map(([day, due]) => (
        <li key={day}>
          <p className="text-xs text-muted">{formatDay(day)}</p>
          <ul>
            {due.map((entry) => (
              <li key={entry.key} className="text-sm wrap-anywhere">
                <EntryLink entry={entry} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function EntryLink({ entry }: { entry: DueEntry }): React.JSX.Element {
  const words = (
    <>
      <StatusBadge status={entry.status} /> {entry.title}
    </>
  );
  if (entry.filingId === undefined) return words;
  return (
    <OpenLink id={entry.filingId} as="filing" className="hover:underline">
      {words}
    </OpenLink>
  );
}

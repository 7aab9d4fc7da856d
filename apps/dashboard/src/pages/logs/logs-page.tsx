import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable, rowLink } from '../../components/data-table.tsx';
import { ExportLinks } from '../../components/links.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { TWO_LINES, TwoLines } from '../../components/table-cells.tsx';
import { Ago, Instant } from '../../components/time.tsx';
import { useKeysetRows } from '../../lib/keyset-rows.ts';
import { actorName } from '../../lib/text.ts';
import { type Inputs, useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { opening, replacing, useClosePanel } from '../../operation/resource-list.tsx';
import { LogDetails } from './log-details.tsx';
import { LogFilters } from './log-filters.tsx';
import type { LogSearch } from './log-search.ts';
import { type LogRow, logFilters, readAgainAfter, summaryWords, sumOf } from './logs.view.ts';
import { RecordLink } from './record-link.tsx';

const place = '/shell/logs';

/** The activity log, with the delivery state of each row's events. New rows appear automatically. */
export function LogsPage(): React.JSX.Element {
  const search: LogSearch = useSearch({ from: place });
  const navigate = useNavigate({ from: '/logs' });
  const filters = logFilters(search, useZone());
  const { open, ...narrowed } = search;
  const isNarrowed = Object.keys(narrowed).some((name) => name !== 'company');
  const change = (next: Partial<Record<keyof LogSearch, string | undefined>>): void => {
    void navigate({ search: (now) => clean({ ...now, ...next }), ...replacing });
  };
  const close = useClosePanel(() => change({ open: undefined }));
  return (
    <Page
      title="Activity log"
      intro="Every change in the account, who made it, and the webhook deliveries it caused."
      actions={<ExportLinks path="/activity" filters={filters} what="the activity log" />}
    >
      <LogFilters search={search} onChange={change} />
      <LogTable filters={filters} isNarrowed={isNarrowed} />
      {open !== undefined && (
        <LogDetails id={open} onClose={close} onActor={(id) => change({ open: undefined, actor_id: id })} />
      )}
    </Page>
  );
}

function clean(search: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function LogTable({ filters, isNarrowed }: { filters: Record<string, string | undefined>; isNarrowed: boolean }) {
  const trpc = useTRPC();
  const input: Exclude<Inputs['activity']['list'], void | undefined> = filters;
  const rows = useKeysetRows((page) =>
    trpc.activity.list.queryOptions(
      { ...input, ...page },
      page.after === undefined
        ? { refetchInterval: ({ state }) => readAgainAfter(state.data?.data ?? [], Date.now()) }
        : {},
    ),
  );
  const { nameOf } = useCompanies();
  return (
    <Panel title="Activity" flush>
      <DataTable
        label="Activity log"
        rows={rows}
        columns={columnsOf(nameOf)}
        keyOf={({ id }) => id}
        rowHeight={TWO_LINES}
        empty={
          isNarrowed ? (
            <EmptyState title="No entries match the filters">Remove a filter or change the dates.</EmptyState>
          ) : (
            <EmptyState title="No activity yet">Changes in the account appear here.</EmptyState>
          )
        }
      />
    </Panel>
  );
}

function columnsOf(nameOf: (companyId: string) => string): readonly Column<LogRow>[] {
  return [
    {
      id: 'time',
      title: 'Time',
      grow: 1.4,
      whole: true,
      cell: (row) => (
        <TwoLines
          top={
            <span className="text-xs md:text-sm">
              <Ago at={row.created_at} />
            </span>
          }
          below={
            <span className="hidden md:inline">
              <Instant at={row.created_at} seconds />
            </span>
          }
        />
      ),
    },
    {
      id: 'action',
      title: 'Action and event',
      grow: 1.9,
      cell: (row) => <TwoLines top={<OpenLink row={row} />} below={<EventLinks row={row} />} />,
    },
    {
      id: 'actor',
      title: 'Actor and request',
      grow: 1.4,
      wide: true,
      cell: ({ actor, request_id }) => (
        <TwoLines
          top={<span title={`${actor.type} ${actor.id}`}>{actorName(actor)}</span>}
          below={<code title={request_id}>{request_id}</code>}
        />
      ),
    },
    {
      id: 'record',
      title: 'Record and company',
      grow: 1.4,
      wide: true,
      cell: (row) => (
        <TwoLines top={<RecordLink record={recordOf(row)} />} below={<CompanyLink row={row} nameOf={nameOf} />} />
      ),
    },
    { id: 'deliveries', title: 'Deliveries', whole: true, cell: (row) => <Summary row={row} /> },
  ];
}

function CompanyLink({ row, nameOf }: { row: LogRow; nameOf: (companyId: string) => string }): React.JSX.Element {
  if (row.company_id === null) return <>Whole account</>;
  return <RecordLink record={{ id: row.company_id }} text={nameOf(row.company_id)} />;
}

function recordOf({ resource_id: id, company_id: companyId, after, before }: LogRow) {
  return { id, companyId, stored: after ?? before };
}

function OpenLink({ row }: { row: LogRow }): React.JSX.Element {
  return (
    <Link
      from="/logs"
      to="/logs"
      search={(now) => ({ ...now, open: row.id })}
      {...opening}
      preload={false}
      title={row.action}
      aria-haspopup="dialog"
      className={rowLink}
    >
      {row.action}
    </Link>
  );
}

function EventLinks({ row }: { row: LogRow }): React.JSX.Element {
  const [first, ...others] = row.events;
  if (!first) return <>No event</>;
  return (
    <span title={row.events.map(({ type }) => type).join(', ')}>
      <RecordLink record={{ id: first.id }} text={first.type} />
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}

function Summary({ row }: { row: LogRow }): React.JSX.Element {
  if (row.events.length === 0) return <span className="text-muted">–</span>;
  const { text, tone } = summaryWords(sumOf(row.events));
  const [first = '', ...rest] = text.split(', ');
  return (
    <div title={text}>
      <Badge tone={tone}>{first}</Badge>
      {rest.length > 0 && <div className="truncate px-2 text-xs text-muted">{rest.join(', ')}</div>}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import { Fragment, useMemo } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { type Column, DataTable, rowLink } from '../../../components/data-table.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { EmptyState } from '../../../components/states.tsx';
import { TwoLines } from '../../../components/table-cells.tsx';
import { Ago, Ahead } from '../../../components/time.tsx';
import { withLocalTimes } from '../../../lib/format-time.ts';
import { useKeysetRows } from '../../../lib/keyset-rows.ts';
import { type Inputs, type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { opening } from '../../../operation/resource-list.tsx';
import { endpointWords, outcomeOf } from './attempt.view.ts';
import type { DeliverySearch } from './delivery-filters.tsx';
import { attemptsOf } from './duration.view.ts';
import type { Endpoint } from './endpoint-health.view.ts';
import { useEndpoints } from './use-endpoints.ts';

type Listed = Outputs['deliveries']['list']['data'][number];
type Filters = Inputs['deliveries']['list'] & object;

/** Row height in px; the reason takes up to five lines. */
const ROW = 88;
/** Polling interval: attempts emit no event. */
const REFRESH_MS = 3_000;

/** Converts the URL for the procedure; the service rejects invalid values. */
function asFilters(search: { [K in keyof Filters]?: string | undefined }): Filters {
  return search as Filters;
}

export function DeliveryList({
  search,
  endpointId,
  replayId,
}: {
  search: DeliverySearch;
  endpointId?: string;
  replayId?: string;
}): React.ReactNode {
  const trpc = useTRPC();
  const endpoints = useEndpoints();
  const byId = useMemo(() => new Map((endpoints.data?.data ?? []).map((one) => [one.id, one])), [endpoints.data]);
  const { status, event_type: type } = search;
  const one = endpointId ?? search.endpoint_id;
  const filters = asFilters({
    ...(status !== undefined && { status }),
    ...(one !== undefined && { endpoint_id: one }),
    ...(type !== undefined && { event_type: type }),
    ...(replayId !== undefined && { replay_id: replayId }),
  });
  const rows = useKeysetRows((page) => ({
    ...trpc.deliveries.list.queryOptions({ ...filters, ...page }),
    refetchInterval: REFRESH_MS,
  }));
  const columns = columnsOf(byId, endpointId !== undefined || replayId !== undefined);
  return (
    <DataTable
      label="Deliveries, newest first"
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      rowHeight={ROW}
      empty={<NoDeliveries narrowed={Object.keys(filters).length > (endpointId === undefined ? 0 : 1)} />}
    />
  );
}

function NoDeliveries({ narrowed }: { narrowed: boolean }): React.JSX.Element {
  return narrowed ? (
    <EmptyState title="No deliveries match">Change or clear the filters to see others.</EmptyState>
  ) : (
    <EmptyState title="No deliveries yet">
      Each event creates one delivery for every endpoint subscribed to its type. Send a test event from an endpoint’s
      page to see one now.
    </EmptyState>
  );
}

function columnsOf(endpoints: ReadonlyMap<string, Endpoint>, oneEndpoint: boolean): Column<Listed>[] {
  const endpoint: Column<Listed> = {
    id: 'endpoint',
    title: 'Endpoint',
    grow: 1.5,
    wide: true,
    cell: ({ endpoint_id: id }) => <EndpointCell id={id} endpoint={endpoints.get(id)} />,
  };
  return [
    { id: 'event', title: 'Event', grow: 2.1, cell: (row) => <EventCell delivery={row} /> },
    ...(oneEndpoint ? [] : [endpoint]),
    {
      id: 'attempt',
      title: 'Attempt',
      grow: 0.75,
      align: 'end',
      wide: true,
      cell: (row) => <AttemptCell delivery={row} schedule={endpoints.get(row.endpoint_id)?.retry_schedule} />,
    },
    { id: 'status', title: 'Status', grow: 1.75, cell: (row) => <StatusCell delivery={row} /> },
    {
      id: 'ms',
      title: 'ms',
      grow: 0.65,
      align: 'end',
      wide: true,
      cell: ({ last_duration_ms: ms }) => <span className="tabular-nums">{ms ?? '–'}</span>,
    },
    {
      id: 'next',
      title: 'Next attempt',
      grow: 1.3,
      wide: true,
      whole: true,
      cell: ({ next_attempt_at: at }) => (at === null ? <span className="text-muted">–</span> : <Ahead at={at} />),
    },
    { id: 'reason', title: 'Reason', grow: 2.4, wide: true, cell: (row) => <ReasonCell delivery={row} /> },
    { id: 'created', title: 'Created', grow: 1.6, whole: true, cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
}

function EventCell({ delivery }: { delivery: Listed }): React.JSX.Element {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, delivery: delivery.id })}
      {...opening}
      className={`${rowLink} line-clamp-3 text-xs whitespace-normal wrap-anywhere text-accent hover:underline md:text-sm`}
      title={delivery.event_type}
    >
      {delivery.event_type.split('.').map((word, i) => (
        <Fragment key={word}>
          {i > 0 && '.'}
          <wbr />
          {word}
        </Fragment>
      ))}
    </Link>
  );
}

function EndpointCell({ id, endpoint }: { id: string; endpoint: Endpoint | undefined }): React.JSX.Element {
  if (endpoint === undefined) return <span className="text-muted">{id} (deleted)</span>;
  const { first, below } = endpointWords(endpoint.url, endpoint.description);
  const link = (
    <Link
      to="/settings/webhooks/$endpointId"
      params={{ endpointId: id }}
      title={endpoint.url}
      className="hover:underline"
    >
      {first}
    </Link>
  );
  return <TwoLines top={link} below={below} />;
}

function AttemptCell({ delivery, schedule }: { delivery: Listed; schedule: readonly number[] | null | undefined }) {
  const most = attemptsOf(schedule);
  return (
    <span className="tabular-nums" title={`${delivery.attempt_count} of up to ${most} automatic attempts`}>
      {delivery.attempt_count}/{most}
    </span>
  );
}

function StatusCell({ delivery }: { delivery: Listed }): React.JSX.Element {
  const { last_status_code: code, last_error: error, status, attempt_count: count } = delivery;
  const text = outcomeOf({ status_code: code, error });
  return (
    <span title={`${status}, ${text}`} className="flex items-center gap-2 overflow-hidden">
      <StatusBadge status={status} />
      {count > 0 && (
        <span className={`hidden truncate tabular-nums sm:inline ${error === null ? 'text-muted' : 'text-bad'}`}>
          {text}
        </span>
      )}
    </span>
  );
}

function ReasonCell({ delivery: { reason } }: { delivery: Listed }): React.JSX.Element {
  const text = withLocalTimes(reason ?? '–', useZone());
  return (
    <p title={text} className="line-clamp-5 text-xs whitespace-normal wrap-anywhere text-muted">
      {text}
    </p>
  );
}

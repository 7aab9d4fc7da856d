import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../components/badge.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago, LocalTimes } from '../../components/time.tsx';
import { plural } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { endpointNames } from '../settings/webhooks/attempt.view.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';

type ListedDelivery = Outputs['deliveries']['list']['data'][number];

const SHOWN = 100;
export const FOLLOW_MS = 1_500;

export function useEndpointNames(): ReadonlyMap<string, string> {
  return endpointNames(useEndpoints(false).data?.data ?? []);
}

function columnsOf(names: ReadonlyMap<string, string>): readonly Column<ListedDelivery>[] {
  return [
    {
      title: 'Endpoint',
      cell: (row) => (
        <div className="min-w-40 wrap-anywhere">
          <RecordLink record={{ id: row.id }} text={names.get(row.endpoint_id) ?? row.endpoint_id} opensRow returns />
          <div className="md:hidden">
            <Reason delivery={row} />
          </div>
        </div>
      ),
    },
    { title: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
    { title: 'Payload', wide: true, cell: (row) => (row.payload === 'thin' ? 'Thin' : 'Full') },
    { title: 'Attempts', align: 'end', wide: true, cell: (row) => row.attempt_count },
    { title: 'Last response', wide: true, cell: (row) => (row.last_status_code ?? row.last_error ?? '–').toString() },
    {
      title: 'Next attempt',
      wide: true,
      cell: (row) => (
        <>
          {row.next_attempt_at === null ? '–' : <Ago at={row.next_attempt_at} />}
          <Reason delivery={row} />
        </>
      ),
    },
    { title: 'Created', wide: true, cell: (row) => <Ago at={row.created_at} /> },
  ];
}

function Reason({ delivery: { reason } }: { delivery: ListedDelivery }): React.JSX.Element | null {
  if (reason === null) return null;
  return (
    <p className="text-xs text-muted">
      <LocalTimes text={reason} />
    </p>
  );
}

export function EventDeliveries({ eventId }: { eventId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const names = useEndpointNames();
  const query = useQuery(
    trpc.deliveries.list.queryOptions(
      { event_id: eventId, limit: SHOWN },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === 'pending' || status === 'retrying') === true && FOLLOW_MS,
      },
    ),
  );
  const event = useQuery(trpc.events.get.queryOptions({ event_id: eventId, include: 'deliveries_summary' }));
  const filteredIds = event.data?.filtered_endpoint_ids ?? [];
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading label="Loading deliveries" />;
  return (
    <>
      <SimpleTable
        label={`Deliveries of ${eventId}`}
        rows={query.data.data}
        columns={columnsOf(names)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="Not delivered to any endpoint">
            {event.data && filteredIds.length === 0 && 'No endpoint is subscribed to this event type and company.'}
          </EmptyState>
        }
      />
      {filteredIds.length > 0 && <FilteredEndpoints ids={filteredIds} names={names} />}
      {query.data.has_more && (
        <p className="px-5 py-2 text-xs text-muted">Showing the {SHOWN} most recent deliveries.</p>
      )}
    </>
  );
}

function FilteredEndpoints({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, string> }) {
  return (
    <div className="border-t px-5 py-3 text-sm">
      <p>{plural(ids.length, 'endpoint')} skipped this event because of a payload filter.</p>
      <ul aria-label="Endpoints skipped by their filter">
        {ids.map((id) => (
          <li key={id} className="wrap-anywhere">
            <RecordLink record={{ id }} text={names.get(id) ?? id} />
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge, sentenceCase } from '../../components/badge.tsx';
import { CopyId, JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { EventDeliveries } from '../events/event-deliveries.tsx';
import {
  aroundRow,
  type ChangedField,
  cellText,
  changedFields,
  deliveryText,
  type LogRow,
  refetchDelay,
} from './logs.view.ts';

const READ = 200;

export function LogDetails({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const around = aroundRow(id);
  const query = useQuery(
    trpc.activity.list.queryOptions(
      { ...around, limit: READ },
      {
        enabled: around !== undefined,
        refetchInterval: ({ state }) => refetchDelay(state.data?.data ?? [], Date.now()),
      },
    ),
  );
  const row = query.data?.data.find((one) => one.id === id);
  return (
    <Dialog open onClose={onClose} title={row?.action ?? 'Log entry'} variant="side">
      {row && <Details row={row} />}
      {!row && query.isLoading && <Loading label="Loading the entry" lines={6} />}
      {!row && query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {!row && !query.isLoading && !query.error && (
        <EmptyState title="Entry not found">Check the ID in the URL: {id}</EmptyState>
      )}
    </Dialog>
  );
}

function Details({ row }: { row: LogRow }): React.JSX.Element {
  const { nameOf } = useCompanies([row.company_id]);
  return (
    <div className="flex flex-col gap-6">
      <DescriptionList
        entries={[
          ['Time', <Instant key="time" at={row.created_at} seconds />],
          [
            'Actor',
            <span key="actor" className="flex flex-wrap items-center gap-2">
              {actorName(row.actor)}
              <Badge>{sentenceCase(row.actor.type)}</Badge>
              <code className="text-xs text-muted">{row.actor.id}</code>
              <Link
                to="/logs"
                search={(search) => ({ ...search, actor_id: row.actor.id, open: undefined })}
                className="text-accent underline-offset-2 hover:underline"
              >
                Filter by actor
              </Link>
            </span>,
          ],
          ['Company', row.company_id && <RecordLink record={{ id: row.company_id }} text={nameOf(row.company_id)} />],
          [
            'Record',
            <RecordLink
              key="record"
              record={{ id: row.resource_id, companyId: row.company_id, stored: row.after ?? row.before }}
            />,
          ],
          ['Request ID', <CopyId key="request" id={row.request_id} what="request ID" />],
          ['IP address', row.ip],
        ]}
      />
      <Changes row={row} />
      {row.events.map((event) => (
        <EventOfRow key={event.id} event={event} />
      ))}
      {row.events.length === 0 && <p className="text-sm text-muted">No events emitted.</p>}
    </div>
  );
}

function Changes({ row }: { row: LogRow }): React.JSX.Element {
  const changed = changedFields(row.before, row.after);
  return (
    <section aria-label="Changes" className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold">Changes</h3>
      {changed.length > 0 && (
        <div className="-mx-5">
          <SimpleTable<ChangedField>
            label="Changed fields"
            rows={changed}
            keyOf={({ field }) => field}
            columns={[
              { title: 'Field', cell: ({ field }) => <code className="text-xs">{field}</code> },
              { title: 'Before', cell: ({ before }) => <Value value={before} /> },
              { title: 'After', cell: ({ after }) => <Value value={after} /> },
            ]}
            empty={null}
          />
        </div>
      )}
      {row.before == null && row.after == null && <p className="text-sm text-muted">No field changes recorded.</p>}
      {row.before != null && <Folded title="Before" value={row.before} />}
      {row.after != null && (
        <Folded title={row.before == null ? 'Payload' : 'After'} value={row.after} open={changed.length === 0} />
      )}
    </section>
  );
}

function Value({ value }: { value: unknown }): React.JSX.Element {
  return <span className="line-clamp-6 text-xs wrap-anywhere">{cellText(value)}</span>;
}

function Folded({ title, value, open = false }: { title: string; value: unknown; open?: boolean }): React.JSX.Element {
  return (
    <details open={open}>
      <summary className="mb-2 text-sm">{title}</summary>
      <JsonBlock label={title} value={value} />
    </details>
  );
}

function EventOfRow({ event }: { event: LogRow['events'][number] }): React.JSX.Element {
  const { text, tone } = deliveryText(event.deliveries);
  return (
    <section aria-label={`Event ${event.type}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-semibold wrap-anywhere">{event.type}</h3>
        <Badge tone={tone}>{text}</Badge>
        <span className="flex-1" />
        <span className="text-sm">
          <RecordLink record={{ id: event.id }} text="View event" />
        </span>
      </div>
      <div className="-mx-5">
        <EventDeliveries eventId={event.id} />
      </div>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { CopyId, JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { LogLink, RecordLink } from '../../components/record-link.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { fieldOf, problemOf } from '../../lib/problem.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { deliveryText } from '../logs/logs.view.ts';
import { useEventTypes } from '../settings/webhooks/use-endpoints.ts';
import { EventDeliveries, FOLLOW_MS } from './event-deliveries.tsx';
import { DeleteEvidenceDialog, RedeliverDialog } from './event-dialogs.tsx';

type StoredEvent = Outputs['events']['get'];

export function EventPage(): React.JSX.Element {
  const { eventId } = useParams({ from: '/shell/events/$eventId' });
  const trpc = useTRPC();
  const query = useQuery(
    trpc.events.get.queryOptions(
      { event_id: eventId, include: 'deliveries_summary' },
      { refetchInterval: ({ state }) => (state.data?.deliveries?.pending ?? 0) > 0 && FOLLOW_MS },
    ),
  );
  if (query.data) return <EventView event={query.data} />;
  return (
    <Page title="Event">
      {query.isLoading && <Loading label="Loading the event" lines={6} />}
      {problemOf(query.error)?.code === 'not_found' ? (
        <EmptyState
          title="Event not found"
          action={
            <Link to="/logs" className="text-accent underline">
              Open the activity log
            </Link>
          }
        >
          Events are kept for 90 days. Test events aren’t listed.
        </EmptyState>
      ) : (
        query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </Page>
  );
}

function EventView({ event }: { event: StoredEvent }): React.JSX.Element {
  const { deliveries: _, filtered_endpoint_ids: _ids, ...envelope } = event;
  return (
    <Page
      title={event.type}
      intro={<Description type={event.type} />}
      actions={
        <>
          <OperationButton variant="primary" operation="events.redeliver" label="Redeliver">
            {(close) => <RedeliverDialog eventId={event.id} onClose={close} />}
          </OperationButton>
          <OperationButton
            variant="danger"
            operation="events.purgeEvidence"
            label="Delete stored request and responses"
          >
            {(close) => <DeleteEvidenceDialog eventId={event.id} onClose={close} />}
          </OperationButton>
        </>
      }
    >
      <Panel title="Details">
        <EventFacts event={event} />
      </Panel>
      <Panel
        title="Deliveries"
        flush
        actions={
          <Link
            to="/settings/webhooks"
            search={{ tab: 'deliveries', id: event.id }}
            className={buttonClass('plain', 'small')}
          >
            View with attempts
          </Link>
        }
      >
        <EventDeliveries eventId={event.id} />
      </Panel>
      <Panel title="Payload">
        <JsonBlock label="Event payload" value={envelope} />
      </Panel>
    </Page>
  );
}

function Description({ type }: { type: string }): React.ReactNode {
  const { data } = useEventTypes();
  return data?.data.find((one) => one.type === type)?.description;
}

function EventFacts({ event }: { event: StoredEvent }): React.JSX.Element {
  const { nameOf } = useCompanies([event.company_id ?? null]);
  const summary = event.deliveries && deliveryText(event.deliveries);
  const recordId = fieldOf(event.data, 'id');
  const company = event.company_id;
  return (
    <DescriptionList
      entries={[
        ['Event ID', <CopyId key="id" id={event.id} what="event ID" />],
        ['Created', <Instant key="at" at={event.created_at} seconds />],
        [
          'Company',
          company === undefined ? (
            'None (account event)'
          ) : (
            <RecordLink record={{ id: company }} text={nameOf(company)} />
          ),
        ],
        [
          'Record',
          typeof recordId === 'string' ? (
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <RecordLink record={{ id: recordId, companyId: company ?? null, stored: event.data }} />
              <LogLink of={recordId} text="Changes to this record" />
            </span>
          ) : null,
        ],
        ['Deliveries', summary && <Badge tone={summary.tone}>{summary.text}</Badge>],
      ]}
    />
  );
}

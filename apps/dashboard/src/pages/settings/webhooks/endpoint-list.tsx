import { Link } from '@tanstack/react-router';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/page.tsx';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loading } from '../../../components/states.tsx';
import { Ago } from '../../../components/time.tsx';
import { usePermission } from '../../../lib/use-session.ts';
import { type Endpoint, HealthNotes, healthOf, lastOutcome, Undelivered, willDisableAt } from './endpoint-health.tsx';
import { useEndpointEvents, useEndpoints } from './use-endpoints.ts';

export function EndpointList({ onCreate }: { onCreate: () => void }): React.JSX.Element {
  const endpoints = useEndpoints();
  const rows = endpoints.data?.data ?? [];
  const failing = rows.some(({ status, consecutive_failures: failures }) => status === 'active' && failures > 0);
  const { events } = useEndpointEvents(failing ? ['webhook_endpoint.failing'] : []);
  return (
    <Panel title="All endpoints" flush>
      {!endpoints.data && (
        <div className="px-5 pb-4">
          {endpoints.error ? (
            <ErrorState error={endpoints.error} onRetry={() => void endpoints.refetch()} />
          ) : (
            <Loading label="Loading endpoints" />
          )}
        </div>
      )}
      {endpoints.data && (
        <SimpleTable
          label="Webhook endpoints"
          rows={rows}
          keyOf={({ id }) => id}
          empty={<NoEndpoints onCreate={onCreate} />}
          columns={[
            { title: 'Endpoint', cell: (row) => <EndpointCell endpoint={row} /> },
            { title: 'Health', cell: (row) => <HealthCell endpoint={row} disableAt={willDisableAt(row, events)} /> },
            { title: 'Events', wide: true, cell: (row) => <EventsCell endpoint={row} /> },
            { title: 'Undelivered', align: 'end', cell: ({ id }) => <Undelivered endpointId={id} /> },
            { title: 'Last attempt', wide: true, cell: (row) => <LastOutcome endpoint={row} /> },
          ]}
        />
      )}
    </Panel>
  );
}

function NoEndpoints({ onCreate }: { onCreate: () => void }): React.JSX.Element {
  const may = usePermission();
  return (
    <EmptyState
      title="No endpoints yet"
      action={
        may('webhookEndpoints.create') && (
          <Button variant="primary" onClick={onCreate}>
            Create endpoint
          </Button>
        )
      }
    >
      An endpoint is a URL that receives events, such as posted balances, submitted filings and agent requests. We sign
      each request and retry until your server answers 2xx.
    </EmptyState>
  );
}

function EndpointCell({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  return (
    <div className="min-w-40 max-w-96">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: endpoint.id }}
        className="font-medium wrap-anywhere text-accent hover:underline"
      >
        {endpoint.url}
      </Link>
      {endpoint.description !== null && <p className="text-xs wrap-anywhere text-muted">{endpoint.description}</p>}
    </div>
  );
}

function HealthCell({ endpoint, disableAt }: { endpoint: Endpoint; disableAt: string | undefined }): React.JSX.Element {
  const { tone, word, notes } = healthOf(endpoint, disableAt);
  return (
    <div className="flex min-w-32 max-w-80 flex-col items-start gap-1">
      <Badge tone={tone}>{word}</Badge>
      <div className="text-xs text-muted [&_ul]:text-xs">
        <HealthNotes notes={notes} />
      </div>
    </div>
  );
}

function EventsCell({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const [only] = endpoint.events;
  const count = endpoint.events.length;
  return (
    <span className="text-muted">
      {count === 0 ? 'All events' : count === 1 ? only : `${count} event types`}
      {endpoint.filter !== null && ', filtered'}
      {endpoint.company_id !== null && ', one company'}
    </span>
  );
}

function LastOutcome({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const last = lastOutcome(endpoint);
  if (!last) return <span className="text-muted">None yet</span>;
  return (
    <span className={last.ok ? '' : 'text-bad'}>
      {last.ok ? 'Succeeded' : 'Failed'} <Ago at={last.at} />
    </span>
  );
}

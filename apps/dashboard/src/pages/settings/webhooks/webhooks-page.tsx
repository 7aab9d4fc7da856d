import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useContext } from 'react';
import { Button } from '../../../components/button.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { CompanyContext } from '../../../components/shell/company-context.ts';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../../components/states.tsx';
import { rowLink } from '../../../components/table-cells.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/format-number.ts';
import { plural } from '../../../lib/text.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { OperationButton } from '../../../operation/operation-dialog.tsx';
import { useListSearch } from '../../../operation/resource-list.tsx';
import { endpointName, shortUrl } from './attempt.view.ts';
import { shown, tabOf } from './deliveries/pane-search.ts';
import { DeliveryWorkbench } from './deliveries/workbench.tsx';
import { CreateEndpointDialog } from './endpoint-form.tsx';
import { endpointsOf, HealthSummary, lastOutcome, Undelivered, worstFirst } from './endpoint-health.tsx';
import { SignatureChecker } from './signature-checker.tsx';
import { type Endpoint, useEndpointEvents, useEndpoints } from './use-endpoints.ts';

export function WebhooksPage(): React.JSX.Element {
  const search = useSearch({ from: '/shell/settings/webhooks' });
  const { setSearch } = useListSearch();
  const createButton = (
    <OperationButton variant="primary" operation="webhookEndpoints.create" label="Create endpoint">
      {(onClose) => <CreateEndpointDialog onClose={onClose} />}
    </OperationButton>
  );
  return (
    <Page
      title="Webhooks"
      intro="We send every event to your servers as a signed POST request, and retry until they respond with 2xx."
      actions={createButton}
    >
      <Tabs
        label="Webhooks"
        value={tabOf(search, 'endpoints')}
        onChange={(tab) =>
          setSearch({ tab: tab === 'endpoints' ? undefined : tab, ...shown(undefined) }, { replace: false })
        }
        tabs={[
          {
            id: 'endpoints',
            title: 'Endpoints',
            content: (
              <>
                <DeliveryCounts />
                <EndpointList createButton={createButton} />
              </>
            ),
          },
          { id: 'deliveries', title: 'Deliveries', content: <DeliveryWorkbench /> },
          { id: 'check', title: 'Verify a signature', content: <SignatureChecker deliveryId={search.check} /> },
        ]}
      />
    </Page>
  );
}

const REFETCH_MS = 15_000;

function DeliveryCounts(): React.JSX.Element | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhookEndpoints.health.queryOptions({}, { refetchInterval: REFETCH_MS }));
  if (data === undefined) return null;
  const { succeeded, failed, retrying, waiting, counted_from: from } = data;
  const count = (n: number): string => formatCount(n);
  return (
    <p className="text-sm text-muted">
      {from === null ? (
        'Last 24 hours'
      ) : (
        <>
          Since <Instant at={from} />
        </>
      )}
      : {plural(succeeded + failed + retrying + waiting, 'delivery', 'deliveries')} ({count(succeeded)} succeeded,{' '}
      {count(failed)} failed, {count(retrying)} retrying, {count(waiting)} pending).
    </p>
  );
}

/** The endpoints that receive events of the chosen company; on request also those of the others. */
function EndpointList({ createButton }: { createButton: ReactNode }): React.JSX.Element {
  const endpoints = useEndpoints();
  const { all } = useSearch({ from: '/shell/settings/webhooks' });
  const company = useContext(CompanyContext);
  const { own, others } = endpointsOf(endpoints.data?.data ?? [], company?.id);
  const rows = worstFirst(all === undefined ? own : [...own, ...others]);
  const failing = rows.some(({ status, consecutive_failures: failures }) => status === 'active' && failures > 0);
  const { events } = useEndpointEvents(failing ? ['webhook_endpoint.failing'] : []);
  const { nameOf } = useCompanies(rows.map(({ company_id: id }) => id));
  return (
    <Panel
      title={company === undefined || all !== undefined ? 'All endpoints' : `Endpoints of ${company.name}`}
      flush
      actions={others.length > 0 && <OtherEndpoints count={others.length} isShown={all !== undefined} />}
    >
      <Loaded query={endpoints} label="Loading endpoints" flush>
        {() => (
          <SimpleTable
            label="Webhook endpoints"
            rows={rows}
            keyOf={({ id }) => id}
            empty={<NoEndpoints createButton={createButton} company={others.length > 0 ? company?.name : undefined} />}
            columns={[
              { title: 'Endpoint', cell: (row) => <EndpointCell endpoint={row} /> },
              {
                title: 'Health',
                cell: (row) => (
                  <div className="flex min-w-32 max-w-80 flex-col items-start gap-1 text-xs text-muted">
                    <HealthSummary endpoint={row} failing={events} />
                  </div>
                ),
              },
              {
                title: 'Company',
                wide: true,
                cell: ({ company_id: id }) => (id === null ? 'All companies' : nameOf(id)),
              },
              { title: 'Events', wide: true, cell: (row) => <EventsCell endpoint={row} /> },
              { title: 'Undelivered', align: 'end', cell: ({ id }) => <Undelivered endpointId={id} /> },
              { title: 'Last attempt', wide: true, cell: (row) => <LastOutcome endpoint={row} /> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function OtherEndpoints({ count, isShown }: { count: number; isShown: boolean }): React.JSX.Element {
  const { setSearch } = useListSearch();
  return (
    <Button size="small" onClick={() => setSearch({ all: isShown ? undefined : '1' })}>
      {isShown ? 'Hide other companies' : `Show ${plural(count, 'endpoint')} of other companies`}
    </Button>
  );
}

interface NoEndpointsProps {
  createButton: ReactNode;
  /** The chosen company, if others have endpoints. */
  company: string | undefined;
}

function NoEndpoints({ createButton, company }: NoEndpointsProps): React.JSX.Element {
  if (company !== undefined) {
    return (
      <EmptyState title={`No endpoints for ${company}`} action={createButton}>
        Only other companies have endpoints. They don’t receive the events of this company.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No endpoints yet" action={createButton}>
      An endpoint is a URL that receives events, such as posted balances, submitted filings and agent requests. We sign
      each request and retry until your server responds with 2xx.
    </EmptyState>
  );
}

function EndpointCell({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  return (
    <div className="min-w-40 max-w-96">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: endpoint.id }}
        className={`${rowLink} wrap-anywhere text-accent hover:underline`}
      >
        {endpointName(endpoint)}
      </Link>
      {endpoint.description !== null && <p className="text-xs wrap-anywhere text-muted">{shortUrl(endpoint.url)}</p>}
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

import { Link, useParams, useSearch } from '@tanstack/react-router';
import { CopyButton, JsonBlock } from '../../../components/copy.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Page, Panel, PendingPage } from '../../../components/page.tsx';
import { Loading } from '../../../components/states.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { Instant } from '../../../components/time.tsx';
import { formatCount, formatDecimal } from '../../../lib/format-number.ts';
import { plural } from '../../../lib/text.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { useListSearch } from '../../../operation/resource-list.tsx';
import { endpointName } from './attempt.view.ts';
import { shown, tabOf } from './deliveries/pane-search.ts';
import { DeliveryWorkbench } from './deliveries/workbench.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { payloadNames } from './endpoint-form.tsx';
import { connectionStatus, HealthSummary, historyOf, Undelivered } from './endpoint-health.tsx';
import { describeFilter } from './payload-filter.view.ts';
import { describeSchedule } from './rate-and-retries.tsx';
import { ReplayForm } from './replay-form.tsx';
import { ReplayList } from './replay-list.tsx';
import { type Endpoint, useEndpoint, useEndpointEvents } from './use-endpoints.ts';

export function EndpointPage(): React.JSX.Element {
  const { endpointId } = useParams({ from: '/shell/settings/webhooks/$endpointId' });
  const endpoint = useEndpoint(endpointId);
  const back = (
    <Link to="/settings/webhooks" className="inline-block leading-6 text-accent hover:underline">
      All endpoints
    </Link>
  );
  if (!endpoint.data) {
    return <PendingPage title="Webhook endpoint" intro={back} query={endpoint} label="Loading the endpoint" />;
  }
  return (
    <Page
      title={endpointName(endpoint.data)}
      intro={
        <>
          {back}
          {endpoint.data.description !== null && <span className="wrap-anywhere"> · {endpoint.data.url}</span>}
        </>
      }
      actions={<EndpointActions key={endpoint.data.id} endpoint={endpoint.data} />}
    >
      <EndpointTabs endpoint={endpoint.data} />
    </Page>
  );
}

function EndpointTabs({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const search = useSearch({ from: '/shell/settings/webhooks/$endpointId' });
  const { setSearch } = useListSearch();
  return (
    <Tabs
      label="Webhook endpoint"
      value={tabOf(search, 'overview')}
      onChange={(tab) =>
        setSearch({ tab: tab === 'overview' ? undefined : tab, ...shown(undefined), id: undefined }, { replace: false })
      }
      tabs={[
        { id: 'overview', title: 'Overview', content: <EndpointOverview endpoint={endpoint} /> },
        { id: 'deliveries', title: 'Deliveries', content: <DeliveryWorkbench endpointId={endpoint.id} /> },
        { id: 'replays', title: 'Replays', content: <Replays endpoint={endpoint} /> },
      ]}
    />
  );
}

function Replays({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const may = usePermission();
  return (
    <>
      {may('webhookEndpoints.replay') && (
        <Panel title="Replay events">
          <ReplayForm endpoint={endpoint} />
        </Panel>
      )}
      <ReplayList endpointId={endpoint.id} />
    </>
  );
}

function EndpointOverview({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const { nameOf } = useCompanies([endpoint.company_id]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <HealthPanel endpoint={endpoint} />
      <HistoryPanel endpoint={endpoint} />
      <Panel title="Subscription">
        <DescriptionList entries={subscriptionOf(endpoint, nameOf)} />
        {endpoint.filter !== null && (
          <details className="mt-3 text-sm">
            <summary className="text-muted">View as JSON</summary>
            <div className="mt-2">
              <JsonBlock value={endpoint.filter} label="Payload filter" />
            </div>
          </details>
        )}
      </Panel>
      <Panel title="Delivery settings">
        <DescriptionList entries={optionsOf(endpoint)} />
      </Panel>
    </div>
  );
}

function HealthPanel({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const { events } = useEndpointEvents(endpoint.consecutive_failures > 0 ? ['webhook_endpoint.failing'] : []);
  const { health } = endpoint;
  return (
    <Panel title="Health">
      <div className="flex flex-col gap-4">
        <div role="status" className="flex flex-col items-start gap-2 text-sm">
          <HealthSummary endpoint={endpoint} failing={events} />
        </div>
        <DescriptionList
          entries={[
            ['Undelivered', <Undelivered key="undelivered" endpointId={endpoint.id} />],
            ['Failed attempts in a row', formatCount(endpoint.consecutive_failures)],
            [
              'Last success',
              endpoint.last_success_at === null ? 'Never' : <Instant key="s" at={endpoint.last_success_at} seconds />,
            ],
            [
              'Last failure',
              endpoint.last_failure_at === null ? 'Never' : <Instant key="f" at={endpoint.last_failure_at} seconds />,
            ],
            ['Connectivity', connectionStatus(endpoint)],
            ['In this state since', health.since === null ? null : <Instant key="since" at={health.since} seconds />],
          ]}
        />
      </div>
    </Panel>
  );
}

function HistoryPanel({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const { events, isLoading } = useEndpointEvents([
    'webhook_endpoint.failing',
    'webhook_endpoint.disabled',
    'webhook_endpoint.recovered',
    'webhook_endpoint.backlog',
  ]);
  const entries = historyOf(endpoint.id, events);
  return (
    <Panel title="History">
      {isLoading ? (
        <Loading label="Loading the history" />
      ) : (
        <ol className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
          {entries.map(({ id, at, tone, text }) => (
            <li key={id} className="flex flex-col">
              <span className={tone === 'bad' ? 'text-bad' : tone === 'good' ? 'text-good' : 'text-warn'}>{text}</span>
              <span className="text-xs text-muted">
                <Instant at={at} seconds />
              </span>
            </li>
          ))}
          {entries.length === 0 && <li className="text-muted">No incidents</li>}
          <li className="flex flex-col">
            <span>Created</span>
            <span className="text-xs text-muted">
              <Instant at={endpoint.created_at} seconds />
            </span>
          </li>
        </ol>
      )}
    </Panel>
  );
}

type Entries = React.ComponentProps<typeof DescriptionList>['entries'];

function subscriptionOf(endpoint: Endpoint, nameOf: (companyId: string) => string): Entries {
  return [
    ['Event types', endpoint.events.length === 0 ? 'All, including future types' : endpoint.events.join(', ')],
    ['Company', endpoint.company_id === null ? 'All companies' : nameOf(endpoint.company_id)],
    ['Payload', payloadNames[endpoint.payload]],
    ['Payload filter', endpoint.filter === null ? 'None' : describeFilter(endpoint.filter)],
    ['Operational events', endpoint.operational ? 'Yes' : 'No'],
    ['Internal case comments', endpoint.include_internal ? 'Yes' : 'No'],
    ...Object.entries(endpoint.metadata).map(([name, value]) => [`metadata.${name}`, value] as const),
  ];
}

function optionsOf(endpoint: Endpoint): Entries {
  const { rate_limit: rate, rotation_ends_at: rotation, public_key: publicKey } = endpoint;
  return [
    ['URL', endpoint.url],
    [
      'ID',
      <span key="id" className="font-mono text-xs">
        {endpoint.id}
      </span>,
    ],
    ...Object.entries(endpoint.headers).map(([name, value]) => [`Header ${name}`, value] as const),
    ['Timeout', `${formatDecimal((endpoint.timeout_ms ?? 15_000) / 1000, 3)} s`],
    ['Retries', describeSchedule(endpoint.retry_schedule)],
    [
      'Rate limit',
      rate === null ? 'None' : `${plural(rate.requests, 'request')} per ${formatCount(rate.per_seconds)} s`,
    ],
    ['Concurrent requests', endpoint.max_concurrency === null ? 'Automatic' : formatCount(endpoint.max_concurrency)],
    ['Ordering', endpoint.ordered ? 'One event at a time, in order' : 'Unordered'],
    ['Signatures', endpoint.signature_versions.join(', ')],
    [
      'Public key',
      publicKey === null ? null : (
        <span key="key" className="flex flex-wrap items-center gap-2">
          <code className="text-xs wrap-anywhere">{publicKey}</code>
          <CopyButton text={publicKey} />
        </span>
      ),
    ],
    ['Old secret expires', rotation === null ? null : <Instant key="rotation" at={rotation} seconds />],
    ['Payload version', endpoint.api_version],
  ];
}

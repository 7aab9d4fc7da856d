import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Page, Panel } from '../../../components/page.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { movingOn, replacing, type Step, useClosePanel } from '../../../operation/resource-list.tsx';
import { shortUrl } from './attempt.view.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import type { Endpoint } from './endpoint-health.view.ts';
import { EndpointOverview } from './endpoint-overview.tsx';
import { ReplayPanel } from './replay-panel.tsx';
import { useEndpoint } from './use-endpoints.ts';

export function EndpointPage(): React.JSX.Element {
  const { endpointId } = useParams({ from: '/shell/settings/webhooks/$endpointId' });
  const endpoint = useEndpoint(endpointId);
  const back = (
    <Link to="/settings/webhooks" className="text-accent hover:underline">
      All endpoints
    </Link>
  );
  if (!endpoint.data) {
    return (
      <Page title="Webhook endpoint" intro={back}>
        {endpoint.isLoading ? (
          <Loading label="Loading the endpoint" lines={6} />
        ) : (
          <ErrorState error={endpoint.error} onRetry={() => void endpoint.refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={shortUrl(endpoint.data.url)}
      intro={
        <>
          {back}
          {endpoint.data.description !== null && <span className="wrap-anywhere"> · {endpoint.data.description}</span>}
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
  const navigate = useNavigate({ from: '/settings/webhooks/$endpointId' });
  const narrow = (part: Record<string, string | undefined>, step: Step = replacing): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), ...step });
  const close = useClosePanel(() => narrow({ delivery: undefined }));
  const { replay_id: replayId } = search;
  return (
    <>
      <Tabs
        label="Webhook endpoint"
        value={search.tab ?? 'overview'}
        onChange={(tab) =>
          narrow(
            { tab: tab === 'overview' ? undefined : tab, delivery: undefined, replay_id: undefined },
            { replace: false },
          )
        }
        tabs={[
          { id: 'overview', title: 'Overview', content: <EndpointOverview endpoint={endpoint} /> },
          {
            id: 'deliveries',
            title: 'Deliveries',
            content: (
              <>
                <DeliveryFilters search={search} onChange={(part) => narrow(part)} oneEndpoint />
                <Panel title={replayId === undefined ? 'Deliveries' : 'Deliveries of one replay'} flush>
                  <DeliveryList
                    search={search}
                    endpointId={endpoint.id}
                    {...(replayId !== undefined && { replayId })}
                  />
                </Panel>
              </>
            ),
          },
          { id: 'replays', title: 'Recover and replay', content: <ReplayPanel endpoint={endpoint} /> },
        ]}
      />
      <DeliveryDialog
        deliveryId={search.delivery}
        onClose={close}
        onShow={(delivery) => narrow({ delivery }, movingOn)}
      />
    </>
  );
}

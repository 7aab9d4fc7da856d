import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Page, Panel, PendingPage } from '../../../components/page.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { usePermission } from '../../../lib/use-session.ts';
import { movingOn, useClosePanel, useListSearch } from '../../../operation/resource-list.tsx';
import { shortUrl } from './attempt.view.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import type { Endpoint } from './endpoint-health.tsx';
import { EndpointOverview } from './endpoint-overview.tsx';
import { ReplayForm } from './replay-form.tsx';
import { ReplayList } from './replay-list.tsx';
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
    return <PendingPage title="Webhook endpoint" intro={back} query={endpoint} label="Loading the endpoint" />;
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
  const { setSearch } = useListSearch();
  const close = useClosePanel(() => setSearch({ delivery: undefined }));
  return (
    <>
      <Tabs
        label="Webhook endpoint"
        value={search.tab ?? 'overview'}
        onChange={(tab) =>
          setSearch(
            { tab: tab === 'overview' ? undefined : tab, delivery: undefined, replay_id: undefined },
            { replace: false },
          )
        }
        tabs={[
          { id: 'overview', title: 'Overview', content: <EndpointOverview endpoint={endpoint} /> },
          { id: 'deliveries', title: 'Deliveries', content: <DeliveryList endpointId={endpoint.id} /> },
          { id: 'replays', title: 'Replays', content: <Replays endpoint={endpoint} /> },
        ]}
      />
      <DeliveryDialog
        deliveryId={search.delivery}
        onClose={close}
        onShow={(delivery) => setSearch({ delivery }, movingOn)}
      />
    </>
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

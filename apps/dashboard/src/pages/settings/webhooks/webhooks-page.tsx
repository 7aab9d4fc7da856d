import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { usePermission } from '../../../lib/use-session.ts';
import { movingOn, replacing, type Step, useClosePanel } from '../../../operation/resource-list.tsx';
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { SignatureChecker } from './signature-checker.tsx';

export function WebhooksPage(): React.JSX.Element {
  const search = useSearch({ from: '/shell/settings/webhooks' });
  const navigate = useNavigate({ from: '/settings/webhooks' });
  const may = usePermission();
  const [creating, setCreating] = useState(false);
  const narrow = (part: Record<string, string | undefined>, step: Step = replacing): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), ...step });
  const close = useClosePanel(() => narrow({ delivery: undefined }));
  return (
    <Page
      title="Webhooks"
      intro="We POST every event to your servers, signed, and retry until they respond with 2xx."
      actions={
        may('webhookEndpoints.create') && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Create endpoint
          </Button>
        )
      }
    >
      <Tabs
        label="Webhooks"
        value={search.tab ?? 'endpoints'}
        onChange={(tab) =>
          narrow({ tab: tab === 'endpoints' ? undefined : tab, delivery: undefined }, { replace: false })
        }
        tabs={[
          { id: 'endpoints', title: 'Endpoints', content: <EndpointList onCreate={() => setCreating(true)} /> },
          {
            id: 'deliveries',
            title: 'Recent deliveries',
            content: (
              <>
                <DeliveryFilters search={search} onChange={(part) => narrow(part)} oneEndpoint={false} />
                <Panel title="Deliveries" flush>
                  <DeliveryList search={search} />
                </Panel>
              </>
            ),
          },
          { id: 'check', title: 'Check a signature', content: <SignatureChecker deliveryId={search.check} /> },
        ]}
      />
      <CreateEndpointDialog open={creating} onClose={() => setCreating(false)} />
      <DeliveryDialog
        deliveryId={search.delivery}
        onClose={close}
        onShow={(delivery) => narrow({ delivery }, movingOn)}
      />
    </Page>
  );
}

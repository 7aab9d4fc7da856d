import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Page } from '../../../components/page.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { usePermission } from '../../../lib/use-session.ts';
import { movingOn, useClosePanel, useListSearch } from '../../../operation/resource-list.tsx';
import { DeliveryCounts } from './delivery-counts.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { CreateEndpointDialog } from './endpoint-form.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { SignatureChecker } from './signature-checker.tsx';

export function WebhooksPage(): React.JSX.Element {
  const search = useSearch({ from: '/shell/settings/webhooks' });
  const { setSearch } = useListSearch();
  const may = usePermission();
  const [creating, setCreating] = useState(false);
  const close = useClosePanel(() => setSearch({ delivery: undefined }));
  return (
    <Page
      title="Webhooks"
      intro="We POST every event to your servers, signed, and retry until they answer 2xx."
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
          setSearch({ tab: tab === 'endpoints' ? undefined : tab, delivery: undefined }, { replace: false })
        }
        tabs={[
          {
            id: 'endpoints',
            title: 'Endpoints',
            content: (
              <>
                <DeliveryCounts />
                <EndpointList onCreate={() => setCreating(true)} />
              </>
            ),
          },
          { id: 'deliveries', title: 'Deliveries', content: <DeliveryList /> },
          { id: 'check', title: 'Verify a signature', content: <SignatureChecker deliveryId={search.check} /> },
        ]}
      />
      {creating && <CreateEndpointDialog onClose={() => setCreating(false)} />}
      <DeliveryDialog
        deliveryId={search.delivery}
        onClose={close}
        onShow={(delivery) => setSearch({ delivery }, movingOn)}
      />
    </Page>
  );
}

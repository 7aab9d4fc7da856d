import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { ActionMenu, type MenuItem } from '../../../components/menu.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { EditEndpointDialog } from './edit-endpoint-dialog.tsx';
import type { EndpointDialogProps } from './endpoint-dialog-props.ts';
import type { Endpoint } from './endpoint-health.view.ts';
import { PingDialog } from './ping-dialog.tsx';
import { CompleteRotationDialog, RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { SendTestDialog } from './send-test-dialog.tsx';

type Asked = 'test' | 'ping' | 'edit' | 'rotate' | 'complete' | 'delete';

export function EndpointActions({ endpoint }: { endpoint: Endpoint }): React.JSX.Element | null {
  const may = usePermission();
  const [asked, setAsked] = useState<Asked>();
  const status = useStatusAction(endpoint);
  const close = (): void => setAsked(undefined);
  if (!may('webhookEndpoints.update')) return null;
  const items: MenuItem[] = [
    { label: 'Ping', onSelect: () => setAsked('ping') },
    endpoint.rotation_ends_at === null
      ? { label: 'Rotate the secret', onSelect: () => setAsked('rotate') }
      : { label: 'Complete the rotation', onSelect: () => setAsked('complete') },
    { label: 'Delete', onSelect: () => setAsked('delete'), danger: true },
  ];
  const props = { endpoint, onClose: close };
  return (
    <>
      {endpoint.status === 'active' ? (
        <Button onClick={() => setAsked('test')}>Send test event</Button>
      ) : (
        <Button variant="primary" busy={status.isPending} onClick={() => status.set('active')}>
          {endpoint.status === 'paused' ? 'Resume' : 'Enable'}
        </Button>
      )}
      {endpoint.status === 'active' && (
        <Button busy={status.isPending} onClick={() => status.set('paused')}>
          Pause
        </Button>
      )}
      <Button onClick={() => setAsked('edit')}>Edit</Button>
      <ActionMenu label="More actions" items={items} />
      <SendTestDialog open={asked === 'test'} {...props} />
      <PingDialog open={asked === 'ping'} {...props} />
      <EditEndpointDialog open={asked === 'edit'} {...props} />
      <RotateSecretDialog open={asked === 'rotate'} {...props} />
      <CompleteRotationDialog open={asked === 'complete'} {...props} />
      {asked === 'delete' && <DeleteDialog open {...props} />}
    </>
  );
}

function useStatusAction({ id }: Endpoint): { isPending: boolean; set: (status: 'active' | 'paused') => void } {
  const trpc = useTRPC();
  const client = useQueryClient();
  const update = useOperation('webhookEndpoints.update', {
    done: ({ status }) =>
      status === 'active'
        ? 'Endpoint active. Held deliveries are sent now, oldest first.'
        : 'Endpoint paused. Deliveries are on hold.',
    onDone: (endpoint) => {
      client.setQueryData(trpc.webhookEndpoints.get.queryKey({ endpoint_id: id }), endpoint);
    },
  });
  return { isPending: update.isPending, set: (status) => update.mutate({ endpoint_id: id, status }) };
}

function DeleteDialog({ endpoint, onClose }: EndpointDialogProps): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <OperationDialog
      operation="webhookEndpoints.delete"
      title="Delete this endpoint?"
      submit="Delete endpoint"
      danger
      done="Endpoint deleted."
      fixed={{ endpoint_id: endpoint.id }}
      onClose={onClose}
      onDone={() =>
        void navigate({ to: '/settings/webhooks' }).then(() =>
          client.removeQueries(trpc.webhookEndpoints.get.queryFilter({ endpoint_id: endpoint.id })),
        )
      }
    >
      <p className="wrap-anywhere">
        <strong>{endpoint.url}</strong>
      </p>
      <p>
        Due deliveries are cancelled and the secret is deleted. This can’t be undone. To stop deliveries temporarily,
        pause the endpoint instead.
      </p>
    </OperationDialog>
  );
}

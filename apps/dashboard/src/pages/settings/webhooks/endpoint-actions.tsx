import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { useOpenDialog } from '../../../components/dialog-host.tsx';
import { ActionMenu } from '../../../components/menu.tsx';
import { Instant } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/format-number.ts';
import { type Output, useTRPC } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { OperationButton, OperationDialog } from '../../../operation/operation-dialog.tsx';
import { useListSearch } from '../../../operation/resource-list.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { EditEndpointDialog } from './endpoint-form.tsx';
import { countWords, StillFails } from './replay-form.tsx';
import { SendTestDialog } from './send-test.tsx';
import { type Endpoint, failedKey, replayedSince, useFailed } from './use-endpoints.ts';

interface DialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

export function EndpointActions({ endpoint }: { endpoint: Endpoint }): React.JSX.Element | null {
  const may = usePermission();
  const openDialog = useOpenDialog();
  const status = useStatusAction(endpoint);
  if (!may('webhookEndpoints.update')) return null;
  const opens = (ActionDialog: (props: DialogProps) => React.JSX.Element) => () =>
    openDialog((close) => <ActionDialog endpoint={endpoint} onClose={close} />);
  return (
    <>
      <ReplayFailed endpoint={endpoint} />
      {endpoint.status === 'active' ? (
        <>
          <Button onClick={opens(SendTestDialog)}>Send test event</Button>
          <Button busy={status.isPending} onClick={() => status.set('paused')}>
            Pause
          </Button>
        </>
      ) : (
        <Button variant="primary" busy={status.isPending} onClick={() => status.set('active')}>
          {endpoint.status === 'paused' ? 'Resume' : 'Enable'}
        </Button>
      )}
      <Button onClick={opens(EditEndpointDialog)}>Edit</Button>
      <ActionMenu
        label="More actions"
        items={[
          { label: 'Ping', onSelect: opens(PingDialog) },
          endpoint.rotation_ends_at === null
            ? { label: 'Rotate secret', onSelect: opens(RotateSecretDialog) }
            : { label: 'Complete rotation', onSelect: opens(CompleteRotationDialog) },
          { label: 'Delete', onSelect: opens(DeleteDialog), danger: true },
        ]}
      />
    </>
  );
}

/** Offered as long as there is something to replay, also once the endpoint works again. */
function ReplayFailed({ endpoint }: { endpoint: Endpoint }): React.JSX.Element | null {
  const failed = useFailed(endpoint.id);
  const { tab } = useListSearch().search;
  if (failed === undefined || failed === 0 || endpoint.status !== 'active') return null;
  return (
    <OperationButton
      // The form of a replay has a primary button of its own.
      variant={tab === 'replays' ? 'plain' : 'primary'}
      operation="webhookEndpoints.recover"
      label={`Replay ${formatCount(failed)} failed`}
    >
      {(close) => <ReplayFailedDialog endpoint={endpoint} failed={failed} onClose={close} />}
    </OperationButton>
  );
}

function ReplayFailedDialog({ endpoint, failed, onClose }: DialogProps & { failed: number }): React.JSX.Element {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (
    <OperationDialog
      operation="webhookEndpoints.recover"
      title={`Replay ${countWords(failed)}?`}
      submit={`Replay ${countWords(failed)}`}
      done="Replay started in the background."
      fixed={{ endpoint_id: endpoint.id, since: replayedSince() }}
      onClose={onClose}
      onDone={() => {
        void client.invalidateQueries({ queryKey: failedKey(endpoint.id) });
        void navigate({
          to: '/settings/webhooks/$endpointId',
          params: { endpointId: endpoint.id },
          search: { tab: 'replays' },
        });
      }}
    >
      <StillFails endpoint={endpoint} />
      <p className="text-sm">
        Sends the events whose delivery failed permanently once more, with the same IDs. New events are delivered first.
      </p>
    </OperationDialog>
  );
}

function useStatusAction({ id }: Endpoint): { isPending: boolean; set: (status: 'active' | 'paused') => void } {
  const trpc = useTRPC();
  const client = useQueryClient();
  const update = useOperation('webhookEndpoints.update', {
    done: ({ status }) =>
      status === 'active'
        ? 'Endpoint active. Sending held deliveries, oldest first.'
        : 'Endpoint paused. Deliveries are on hold.',
    onDone: (endpoint) => {
      client.setQueryData(trpc.webhookEndpoints.get.queryKey({ endpoint_id: id }), endpoint);
    },
  });
  return { isPending: update.isPending, set: (status) => update.mutate({ endpoint_id: id, status }) };
}

function PingDialog({ endpoint, onClose }: DialogProps): React.JSX.Element {
  const [result, setResult] = useState<Output<'webhookEndpoints.ping'>>();
  return (
    <OperationDialog
      operation="webhookEndpoints.ping"
      title="Ping endpoint"
      description="Sends one signed request with a challenge, whatever the endpoint’s status. Pings create no event and don’t affect the endpoint’s health."
      submit={result ? 'Ping again' : 'Send ping'}
      fixed={{ endpoint_id: endpoint.id }}
      staysOpen={(output) => {
        setResult(output);
        return true;
      }}
      onClose={onClose}
    >
      {result && (
        <div role="status" className="flex flex-col items-start gap-3">
          <Badge tone={result.ok ? 'good' : 'bad'}>{result.ok ? 'Succeeded' : 'Failed'}</Badge>
          <DescriptionList
            entries={[
              ['Status', result.status_code],
              ['Error', result.error_message ?? result.error],
              ['Duration', `${result.duration_ms} ms`],
              ['Challenge', result.challenge_answered ? 'Returned' : 'Not returned (optional)'],
              ['Sent', <Instant key="sent" at={result.at} seconds />],
            ]}
          />
        </div>
      )}
    </OperationDialog>
  );
}

function RotateSecretDialog({ endpoint, onClose }: DialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="webhookEndpoints.rotateSecret"
      title="Rotate secret"
      submit="Rotate secret"
      fixed={{ endpoint_id: endpoint.id }}
      fields={{
        overlap_seconds: {
          label: 'Old secret expires',
          initial: '86400',
          choices: [
            ['0', 'Immediately (the secret has leaked)'],
            ['3600', 'In 1 hour'],
            ['86400', 'In 1 day'],
            ['259200', 'In 3 days'],
            ['604800', 'In 7 days'],
          ],
        },
      }}
      result={{
        title: 'Secret rotated',
        content: ({ secret, rotation_ends_at: until }) => (
          <div className="flex flex-col gap-4 text-sm">
            <SecretOnce secret={secret} label="New signing secret" />
            {until === null ? (
              <p>The old secret no longer signs deliveries. Update your server now.</p>
            ) : (
              <p>
                Both secrets sign deliveries until <Instant at={until} seconds />. Once your server uses the new secret,
                complete the rotation.
              </p>
            )}
            <div className="flex justify-end">
              <Button variant="primary" onClick={onClose}>
                I’ve stored it
              </Button>
            </div>
          </div>
        ),
      }}
      onClose={onClose}
    >
      <p>Until the old secret expires, deliveries verify with both secrets, so you can update your server.</p>
    </OperationDialog>
  );
}

function CompleteRotationDialog({ endpoint, onClose }: DialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="webhookEndpoints.completeRotation"
      title="Complete the rotation?"
      submit="Complete rotation"
      done="Rotation complete. Only the new secret signs deliveries."
      fixed={{ endpoint_id: endpoint.id }}
      onClose={onClose}
    >
      <p>
        The old secret stops signing deliveries immediately. Continue once your server uses the new secret.
        {endpoint.rotation_ends_at !== null && (
          <>
            {' '}
            Otherwise the old secret expires at <Instant at={endpoint.rotation_ends_at} seconds />.
          </>
        )}
      </p>
    </OperationDialog>
  );
}

function DeleteDialog({ endpoint, onClose }: DialogProps): React.JSX.Element {
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
        Cancels pending deliveries and deletes the secret. This can’t be undone. To stop deliveries temporarily, pause
        the endpoint instead.
      </p>
    </OperationDialog>
  );
}

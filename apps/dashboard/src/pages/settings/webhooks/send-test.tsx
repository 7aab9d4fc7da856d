import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorState, Loaded } from '../../../components/states.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { OperationForm } from '../../../operation/operation-form.tsx';
import { isOpen } from './attempt.view.ts';
import { AttemptEvidence } from './deliveries/attempt-evidence.tsx';
import { type Endpoint, useEventTypes } from './use-endpoints.ts';

const WATCH_MS = 500;

export function SendTestDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): React.JSX.Element {
  const types = useEventTypes();
  const [sent, setSent] = useState<string>();
  return (
    <Dialog
      open
      onClose={onClose}
      variant="side"
      title="Send test event"
      description="Sends a signed sample event with the header x-service-test: true. Test events aren’t retried."
    >
      <div className="flex flex-col gap-5">
        <Loaded query={types} label="Loading event types">
          {({ data }) => (
            <OperationForm
              operation="webhookEndpoints.test"
              submit={sent === undefined ? 'Send test event' : 'Send again'}
              fixed={{ endpoint_id: endpoint.id }}
              fields={{
                event: {
                  label: 'Event type',
                  choices: data.map(({ type }) => [type, type] as const),
                  initial: endpoint.events[0] ?? 'bank.balance.updated',
                },
              }}
              onDone={({ id }) => setSent(id)}
            />
          )}
        </Loaded>
        {sent !== undefined && <Outcome key={sent} deliveryId={sent} />}
        <div className="flex justify-end">
          <Button variant="quiet" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Outcome({ deliveryId }: { deliveryId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions(
      { delivery_id: deliveryId },
      { refetchInterval: ({ state }) => (state.data && !isOpen(state.data.status) ? false : WATCH_MS) },
    ),
  );
  if (delivery.isError && !delivery.data) return <ErrorState error={delivery.error} />;
  const attempt = delivery.data?.attempts.at(-1);
  const status = delivery.data?.status ?? 'pending';
  return (
    <section aria-label="Test result" className="flex flex-col gap-3">
      <p role="status" className="flex items-center gap-2 text-sm">
        <StatusBadge status={status} />
        {isOpen(status) && 'Sending…'}
        {status === 'succeeded' && `Response: ${attempt?.status_code ?? '2xx'}.`}
        {status === 'failed' && 'The request failed.'}
      </p>
      {attempt && <AttemptEvidence attempt={attempt} />}
    </section>
  );
}

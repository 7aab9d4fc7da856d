import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Options, SelectField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { useEventTypes } from '../../../lib/use-event-types.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { isOpen } from './attempt.view.ts';
import { AttemptEvidence } from './attempt-evidence.tsx';
import type { Endpoint } from './endpoint-health.tsx';

const WATCH_MS = 500;

export function SendTestDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const types = useEventTypes();
  const [type, setType] = useState(endpoint.events[0] ?? 'bank.balance.updated');
  const test = useOperation('webhookEndpoints.test', { quiet: true });
  return (
    <Dialog
      open
      onClose={onClose}
      variant="side"
      title="Send test event"
      description="Sends a signed sample event with the header x-service-test: true. Test events aren’t retried."
    >
      <div className="flex flex-col gap-5">
        <Form
          submit={test.data ? 'Send again' : 'Send test event'}
          busy={test.isPending}
          error={test.error}
          onSubmit={() => test.mutate({ endpoint_id: endpoint.id, event: type })}
        >
          <SelectField label="Event type" value={type} onChange={(event) => setType(event.target.value)}>
            <Options values={(types.data?.data ?? []).map((entry) => [entry.type, entry.type])} />
          </SelectField>
        </Form>
        {test.data && <Outcome key={test.data.id} deliveryId={test.data.id} />}
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
      {attempt && <AttemptEvidence attempt={attempt} open />}
    </section>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/button.tsx';
import { useToast } from '../../../components/toast.tsx';
import { explain } from '../../../lib/problem.ts';
import { useTRPCClient } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { DeleteEvidenceDialog } from '../../events/event-dialogs.tsx';
import type { Delivery } from './attempt.view.ts';

export interface DeliveryActionsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
  onRetried: () => void;
}

export function DeliveryActions({ delivery, onShow, onRetried }: DeliveryActionsProps): React.JSX.Element {
  const may = usePermission();
  const retry = useOperation('deliveries.retry', {
    done: 'Retrying the delivery.',
    onDone: onRetried,
  });
  const redeliver = useOperation('events.redeliver', {
    done: 'Redelivering the event as a new delivery.',
    onDone: ({ data }) => {
      if (data[0]) onShow(data[0].id);
    },
  });
  const { id, status, endpoint_id: endpointId, event_id: eventId, attempts } = delivery;
  const open = status !== 'succeeded' && status !== 'cancelled';
  return (
    <div className="flex flex-wrap gap-2">
      {may('deliveries.retry') && open && (
        <Button variant="primary" size="small" busy={retry.isPending} onClick={() => retry.mutate({ delivery_id: id })}>
          Retry now
        </Button>
      )}
      {may('events.redeliver') && (
        <Button
          size="small"
          busy={redeliver.isPending}
          onClick={() => redeliver.mutate({ event_id: eventId, endpoint_id: endpointId })}
        >
          Redeliver event
        </Button>
      )}
      {attempts.length > 0 && <CopyCurl delivery={delivery} />}
      {attempts.length > 0 && (
        <Link to="/settings/webhooks" search={{ tab: 'check', check: id }} className={buttonClass('plain', 'small')}>
          Verify signature
        </Link>
      )}
      {may('events.purgeEvidence') && attempts.some(({ evidence_purged_at: purged }) => purged === null) && (
        <DeleteEvidence eventId={eventId} />
      )}
    </div>
  );
}

function CopyCurl({ delivery }: { delivery: Delivery }): React.JSX.Element {
  const client = useTRPCClient();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  async function copy(): Promise<void> {
    const attempt = String(delivery.attempts.at(-1)?.n ?? 1);
    const { command, masked_headers: masked } = await client.deliveries.curl.query({
      delivery_id: delivery.id,
      attempt,
    });
    await navigator.clipboard.writeText(command);
    const put = masked.length === 0 ? '' : ` Replace the masked values of ${masked.join(', ')}.`;
    toast.good(`Copied as curl. The signature expires five minutes after signing.${put}`);
  }
  return (
    <Button
      size="small"
      busy={busy}
      onClick={() => {
        setBusy(true);
        copy()
          .catch((error: unknown) => toast.bad(explain(error)))
          .finally(() => setBusy(false));
      }}
    >
      Copy as curl
    </Button>
  );
}

function DeleteEvidence({ eventId }: { eventId: string }): React.JSX.Element {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setAsked(true)}>
        Delete evidence
      </Button>
      {asked && <DeleteEvidenceDialog eventId={eventId} onClose={() => setAsked(false)} />}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { Button, buttonClass } from '../../../components/button.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { Instant, LocalTimes } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { explain } from '../../../lib/problem.ts';
import { useTRPC, useTRPCClient } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { OperationButton } from '../../../operation/operation-dialog.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { DeleteEvidenceDialog } from '../../events/event-dialogs.tsx';
import { type Delivery, isOpen } from './attempt.view.ts';
import { AttemptEvidence } from './attempt-evidence.tsx';
import { payloadNames } from './endpoint-form.tsx';

/** Polling interval in ms while the delivery may still change. */
const REFRESH_MS = 1_000;

interface DeliveryDialogProps {
  deliveryId: string | undefined;
  onClose: () => void;
  /** Shows another delivery, such as the one that a redelivery created. */
  onShow: (deliveryId: string) => void;
}

export function DeliveryDialog({ deliveryId, onClose, onShow }: DeliveryDialogProps): React.JSX.Element {
  return (
    <Dialog open={deliveryId !== undefined} onClose={onClose} variant="side" title="Delivery" description={deliveryId}>
      {deliveryId !== undefined && <DeliveryDetails key={deliveryId} deliveryId={deliveryId} onShow={onShow} />}
    </Dialog>
  );
}

function DeliveryDetails({ deliveryId, onShow }: { deliveryId: string; onShow: (id: string) => void }) {
  const trpc = useTRPC();
  const [retriedAt, setRetriedAt] = useState<number>();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions(
      { delivery_id: deliveryId },
      {
        refetchInterval: ({ state }) => {
          const known = state.data;
          return known && (isOpen(known.status) || known.attempts.length === retriedAt) ? REFRESH_MS : false;
        },
      },
    ),
  );
  if (delivery.isLoading) return <Loading label="Loading the delivery" lines={6} />;
  if (!delivery.data) return <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />;
  const { attempts } = delivery.data;
  return (
    <div className="flex flex-col gap-5">
      <DeliveryActions delivery={delivery.data} onShow={onShow} onRetried={() => setRetriedAt(attempts.length)} />
      <DeliveryFacts delivery={delivery.data} />
      <section aria-label="Attempts" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold" aria-live="polite">
          {attempts.length === 0 ? 'No attempts yet' : `Attempts (${attempts.length})`}
        </h3>
        {attempts.length === retriedAt && (
          <p role="status" className="text-sm text-muted">
            Retrying…
          </p>
        )}
        {attempts.toReversed().map((attempt, i) => (
          <AttemptEvidence key={attempt.n} attempt={attempt} open={i === 0} />
        ))}
      </section>
    </div>
  );
}

function useReason({ id, event_id: eventId, endpoint_id: endpointId, status }: Delivery): string | null {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.deliveries.list.queryOptions(
      { event_id: eventId, endpoint_id: endpointId },
      { enabled: isOpen(status) || status === 'failed', refetchInterval: isOpen(status) ? REFRESH_MS : false },
    ),
  );
  const listed = list.data?.data.find((one) => one.id === id);
  // A list that was read before the last attempt is outdated.
  return listed?.status === status ? listed.reason : null;
}

function DeliveryFacts({ delivery }: { delivery: Delivery }): React.JSX.Element {
  const { status, next_attempt_at: next } = delivery;
  const reason = useReason(delivery);
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={status} />],
        ['Reason', reason && <LocalTimes text={reason} />],
        ['Endpoint status', delivery.endpoint_status === 'active' ? null : delivery.endpoint_status],
        ['Event type', delivery.event_type],
        [
          'Event',
          <Link
            key="event"
            to="/events/$eventId"
            params={{ eventId: delivery.event_id }}
            className="font-mono text-xs text-accent underline"
          >
            {delivery.event_id}
          </Link>,
        ],
        [
          'Endpoint',
          <Link
            key="endpoint"
            to="/settings/webhooks/$endpointId"
            params={{ endpointId: delivery.endpoint_id }}
            className="font-mono text-xs text-accent underline"
          >
            {delivery.endpoint_id}
          </Link>,
        ],
        ['Payload', payloadNames[delivery.payload]],
        ['Replay', delivery.replay_id],
        ['Created', <Instant key="created" at={delivery.created_at} seconds />],
        ['Next attempt', next === null ? null : <Instant key="next" at={next} seconds />],
      ]}
    />
  );
}

interface DeliveryActionsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
  onRetried: () => void;
}

function DeliveryActions({ delivery, onShow, onRetried }: DeliveryActionsProps): React.JSX.Element {
  const may = usePermission();
  const retry = useOperation('deliveries.retry', {
    done: 'Retry started.',
    onDone: onRetried,
  });
  const redeliver = useOperation('events.redeliver', {
    done: 'Event redelivered as a new delivery.',
    onDone: ({ data }) => {
      if (data[0]) onShow(data[0].id);
    },
  });
  const { id, status, endpoint_id: endpointId, event_id: eventId, attempts } = delivery;
  // The endpoint rejects a retry in any other state; the reason says what to do.
  const canRetry = status !== 'succeeded' && status !== 'cancelled' && delivery.endpoint_status === 'active';
  const isDeleted = delivery.endpoint_status === 'deleted';
  return (
    <div className="flex flex-wrap gap-2">
      {may('deliveries.retry') && canRetry && (
        <Button variant="primary" size="small" busy={retry.isPending} onClick={() => retry.mutate({ delivery_id: id })}>
          Retry now
        </Button>
      )}
      {may('events.redeliver') && (
        <Button
          size="small"
          busy={redeliver.isPending}
          onClick={() => redeliver.mutate({ event_id: eventId, ...(isDeleted ? {} : { endpoint_id: endpointId }) })}
        >
          {isDeleted ? 'Redeliver event to subscribed endpoints' : 'Redeliver event'}
        </Button>
      )}
      {attempts.length > 0 && <CopyCurl delivery={delivery} />}
      {attempts.length > 0 && (
        <Link to="/settings/webhooks" search={{ tab: 'check', check: id }} className={buttonClass('plain', 'small')}>
          Verify signature
        </Link>
      )}
      {attempts.some(({ evidence_purged_at: purged }) => purged === null) && (
        <OperationButton
          size="small"
          variant="quiet"
          operation="events.purgeEvidence"
          label="Delete stored request and responses"
        >
          {(close) => <DeleteEvidenceDialog eventId={eventId} onClose={close} />}
        </OperationButton>
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
    const note = masked.length === 0 ? '' : ` Replace the masked values of ${masked.join(', ')}.`;
    toast.good(`Copied. The signature expires 5 minutes after signing.${note}`);
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

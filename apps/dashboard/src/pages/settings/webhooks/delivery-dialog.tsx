import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { Instant, LocalTimes } from '../../../components/time.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { type Delivery, isOpen } from './attempt.view.ts';
import { AttemptEvidence } from './attempt-evidence.tsx';
import { DeliveryActions } from './delivery-actions.tsx';

/** Polling interval while the delivery may still change. */
const WATCH_MS = 1_000;

export interface DeliveryDialogProps {
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
  const [awaited, setAwaited] = useState<number>();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions(
      { delivery_id: deliveryId },
      {
        refetchInterval: ({ state }) => {
          const known = state.data;
          return known && (isOpen(known.status) || known.attempts.length === awaited) ? WATCH_MS : false;
        },
      },
    ),
  );
  if (delivery.isLoading) return <Loading label="Loading the delivery" lines={6} />;
  if (!delivery.data) return <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />;
  const { attempts } = delivery.data;
  return (
    <div className="flex flex-col gap-5">
      <DeliveryActions delivery={delivery.data} onShow={onShow} onRetried={() => setAwaited(attempts.length)} />
      <DeliveryFacts delivery={delivery.data} />
      <section aria-label="Attempts" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold" aria-live="polite">
          {attempts.length === 0 ? 'No attempts yet' : `Attempts (${attempts.length})`}
        </h3>
        {attempts.length === awaited && (
          <p role="status" className="text-sm text-muted">
            Waiting for the retry…
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
      { enabled: isOpen(status) || status === 'failed', refetchInterval: isOpen(status) ? WATCH_MS : false },
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
        ['Replay', delivery.replay_id],
        ['Created', <Instant key="created" at={delivery.created_at} seconds />],
        ['Next attempt', next === null ? null : <Instant key="next" at={next} seconds />],
      ]}
    />
  );
}

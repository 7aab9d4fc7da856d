import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge, valueText } from '../../../../components/badge.tsx';
import { Button, buttonClass } from '../../../../components/button.tsx';
import { JsonBlock } from '../../../../components/copy.tsx';
import { DescriptionList } from '../../../../components/description-list.tsx';
import { RecordLink } from '../../../../components/record-link.tsx';
import { ErrorState, Loading } from '../../../../components/states.tsx';
import { Instant, LocalTimes } from '../../../../components/time.tsx';
import { useToast } from '../../../../components/toast.tsx';
import { explain, textIn } from '../../../../lib/problem.ts';
import { visibleText } from '../../../../lib/text.ts';
import { useTRPC, useTRPCClient } from '../../../../lib/trpc.ts';
import { usePermission } from '../../../../lib/use-session.ts';
import { OperationButton } from '../../../../operation/operation-dialog.tsx';
import { useOperation } from '../../../../operation/use-operation.ts';
import { DeleteEvidenceDialog } from '../../../events/event-dialogs.tsx';
import { causeOf, type Delivery, endpointNames, isOpen } from '../attempt.view.ts';
import { payloadNames } from '../endpoint-form.tsx';
import { useEndpoints, useEvent } from '../use-endpoints.ts';
import { Attempts, type ChosenAttempts } from './attempts.tsx';
import { useRecord } from './record-cell.tsx';
import { canRetry } from './retry.view.ts';

/** Polling interval in ms while the delivery may still change. */
const REFRESH_MS = 1_000;

interface DeliveryDetailsProps {
  deliveryId: string;
  chosen: ChosenAttempts;
  onChoose: (change: ChosenAttempts) => void;
  /** Shows another delivery, such as the one that a redelivery created. */
  onShow: (deliveryId: string) => void;
}

export function DeliveryDetails({ deliveryId, chosen, onChoose, onShow }: DeliveryDetailsProps): React.JSX.Element {
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
      <DeliveryActions
        delivery={delivery.data}
        onShow={onShow}
        onRetried={() => {
          setRetriedAt(attempts.length);
          onChoose({ attempt: undefined, compare: undefined });
        }}
      />
      <DeliveryFacts delivery={delivery.data} />
      <section aria-label="Attempts" className="flex flex-col gap-3">
        <h3 className="text-sm font-semibold" aria-live="polite">
          {attempts.length === 0 ? 'No attempts yet' : `Attempts (${attempts.length})`}
        </h3>
        {attempts.length === retriedAt && (
          <p role="status" className="text-sm text-muted">
            Retrying…
          </p>
        )}
        <Attempts
          attempts={attempts}
          chosen={chosen}
          wanted={retriedAt === undefined ? undefined : retriedAt + 1}
          onChoose={onChoose}
          body={<RequestBody delivery={delivery.data} />}
        />
      </section>
    </div>
  );
}

function RequestBody({ delivery }: { delivery: Delivery }): React.JSX.Element | null {
  const isThin = delivery.payload === 'thin';
  const event = useEvent(delivery.event_id, !isThin);
  if (isThin)
    return (
      <p className="text-sm text-muted">
        The request body has only IDs, status and counts. “Copy as curl” has its exact text.
      </p>
    );
  if (event.data) return <JsonBlock label="Request body" value={event.data} />;
  if (event.isLoading) return <Loading label="Loading the request body" />;
  return <p className="text-sm text-muted">The request body isn’t stored anymore: events are kept for 90 days.</p>;
}

function DeliveryFacts({ delivery }: { delivery: Delivery }): React.JSX.Element {
  const { status, reason, next_attempt_at: next, endpoint_id: endpointId, attempts } = delivery;
  const cause = causeOf(attempts);
  const { text, stored } = useRecord(delivery);
  const recordId = textIn(stored, 'id');
  const endpoint = endpointNames(useEndpoints().data?.data ?? []).get(endpointId);
  const inactive = delivery.endpoint_status === 'active' ? null : delivery.endpoint_status;
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={status} />],
        ['Reason', reason && <LocalTimes text={reason} />],
        ['Last response', cause && <code className="line-clamp-4 text-xs wrap-anywhere">{visibleText(cause)}</code>],
        ['Endpoint status', inactive && valueText(inactive)],
        ['Event type', delivery.event_type],
        ['Event', <RecordLink key="event" record={{ id: delivery.event_id }} />],
        [
          'Record',
          recordId === undefined ? null : (
            <RecordLink
              key="record"
              record={{ id: recordId, companyId: delivery.company_id, stored }}
              {...(text !== undefined && { text })}
            />
          ),
        ],
        [
          'Endpoint',
          <RecordLink
            key="endpoint"
            record={{ id: endpointId }}
            {...(endpoint !== undefined && { text: endpoint, title: endpointId })}
          />,
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
  const { id, endpoint_id: endpointId, event_id: eventId, attempts } = delivery;
  const isDeleted = delivery.endpoint_status === 'deleted';
  return (
    <div className="flex flex-wrap gap-2">
      {may('deliveries.retry') && canRetry(delivery) && (
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

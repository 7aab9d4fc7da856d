import { type Delivery, delivery as deliverySchema, type ListedDelivery, listedDelivery } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../time/clock.ts';
import { type RowOf, record } from '../../verbs/record.ts';

export type DeliveryRow = Omit<RowOf<typeof deliverySchema>, 'status'> & {
  status: Exclude<Delivery['status'], 'retrying'>;
};

const stored = Object.keys(deliverySchema.shape).filter((field) => !['object', 'payload'].includes(field));

export const deliveryColumns = `${stored.join(', ')}, CASE WHEN thin_body IS NULL THEN 'full' ELSE 'thin' END AS payload`;

export function toDelivery(row: DeliveryRow): Delivery {
  return record(deliverySchema, row, { status: statusOf(row) });
}

function statusOf({ status, attempt_count }: DeliveryRow): Delivery['status'] {
  return status === 'pending' && attempt_count > 0 ? 'retrying' : status;
}

interface AttemptSummary {
  last_duration_ms: number | null;
  immediate_retry_count: number;
}

export interface EndpointState {
  endpoint_status: ListedDelivery['endpoint_status'];
  endpoint_disabled_reason: 'gone' | 'failing' | 'manual' | null;
  endpoint_probe_at: string | null;
  endpoint_hold_until: string | null;
  endpoint_head_id: string | null;
  retry_waits: boolean | null;
  /** True if a failed delivery's last attempt used another URL; null if unknown. */
  endpoint_moved: boolean | null;
}

export type ListedRow = DeliveryRow & EndpointState & AttemptSummary;

export const listedColumns = `${deliveryColumns}, endpoint_state.*`;

export const withEndpointState = `delivery LEFT JOIN LATERAL (
    SELECT CASE WHEN e.deleted_at IS NULL THEN e.status ELSE 'deleted' END AS endpoint_status, e.disabled_reason AS endpoint_disabled_reason,
      CASE WHEN e.breaker = 'open' THEN e.next_probe_at END AS endpoint_probe_at,
      CASE WHEN e.hold_until > now() THEN e.hold_until END AS endpoint_hold_until,
      CASE WHEN e.ordered THEN (
        SELECT f.head_id FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id
        WHERE f.endpoint_id = e.id AND h.attempt_count > 0
      ) END AS endpoint_head_id,
      delivery.status = 'failed' AND EXISTS (SELECT FROM due u WHERE u.delivery_id = delivery.id) AS retry_waits,
      CASE WHEN delivery.status = 'failed' THEN
        (SELECT a.url <> e.url FROM attempt a WHERE a.delivery_id = delivery.id ORDER BY a.n DESC LIMIT 1)
      END AS endpoint_moved
    FROM webhook_endpoint e WHERE e.id = delivery.endpoint_id
  ) endpoint_state ON true`;

/** SQL: true if pending, or the newest failed delivery of no test. OFFSET 0 prevents a join with all events. */
export const undelivered = `(status = 'pending' OR status = 'failed' AND NOT EXISTS (
    SELECT FROM delivery newer
    WHERE newer.event_id = delivery.event_id AND newer.endpoint_id = delivery.endpoint_id AND newer.id > delivery.id
      AND newer.status <> 'cancelled' AND newer.account_id = delivery.account_id
  ) AND NOT EXISTS (
    SELECT FROM event sample
    WHERE sample.id = delivery.event_id AND sample.test AND sample.account_id = delivery.account_id OFFSET 0
  ))`;

const disabledBecause = {
  gone: 'because it answered 410 Gone',
  failing: 'because it failed for too long',
  manual: 'manually',
} as const;

interface Wait {
  for: NonNullable<ListedDelivery['waiting_for']>;
  until: string | null;
  reason: string;
}

/** `next_attempt_at` is null if the next attempt does not depend on time alone. */
export function toListed(row: ListedRow): ListedDelivery {
  const wait = waitOf(row);
  return record(listedDelivery, row, {
    status: statusOf(row),
    next_attempt_at: wait === undefined ? toNullableTimestamp(row.next_attempt_at) : wait.until,
    reason: wait?.reason ?? reasonOf(row),
    waiting_for: wait?.for ?? null,
  });
}

const unblocked: EndpointState & AttemptSummary = {
  endpoint_status: 'active',
  endpoint_disabled_reason: null,
  endpoint_probe_at: null,
  endpoint_hold_until: null,
  endpoint_head_id: null,
  retry_waits: null,
  endpoint_moved: null,
  last_duration_ms: null,
  immediate_retry_count: 0,
};

export function toFreshDelivery(row: DeliveryRow): ListedDelivery {
  return toListed({ ...row, ...unblocked });
}

function reasonOf(row: ListedRow): string | null {
  const last = row.last_error?.replace(/^http_/, 'HTTP ') ?? 'no response';
  if (row.status === 'failed') return `${describeAttempts(row)} failed (last: ${last}). ${nextStep(row)}`;
  return row.status === 'pending' ? nextAttempt(row, last) : null;
}

function describeAttempts({ attempt_count: count, immediate_retry_count: repeats }: ListedRow): string {
  if (count === 1) return 'The only attempt';
  const repeated = repeats === 0 ? '' : ` (${repeats} of them repeated at once, because the connection failed)`;
  return `All ${count} attempts${repeated}`;
}

function nextStep({ retry_waits, endpoint_status: status, endpoint_moved, event_id }: ListedRow): string {
  if (status === 'deleted') return `The endpoint was deleted: redeliver event ${event_id} to another endpoint.`;
  if (retry_waits) return 'A retry was requested and is sent as soon as the endpoint accepts deliveries.';
  if (status === 'paused' || status === 'disabled') {
    return `The endpoint is ${status}: set its status to active, then retry the delivery.`;
  }
  if (endpoint_moved) return 'The endpoint has another URL since then: retry the delivery.';
  return 'Retry it, or replay the endpoint’s failed events.';
}

function waitOf(row: DeliveryRow & EndpointState): Wait | undefined {
  if (row.status !== 'pending') return undefined;
  if (row.endpoint_status === 'paused') {
    const reason = 'The endpoint is paused. Delivery resumes when its status is active again.';
    return { for: 'endpoint_paused', until: null, reason };
  }
  if (row.endpoint_status === 'disabled') {
    const because = row.endpoint_disabled_reason === null ? '' : ` ${disabledBecause[row.endpoint_disabled_reason]}`;
    const reason = `The endpoint was disabled${because}. Delivery resumes when its status is active again.`;
    return { for: 'endpoint_disabled', until: null, reason };
  }
  // Before its first attempt, a delivery is due since its creation.
  return blockedBy(row, toTimestamp(row.next_attempt_at ?? row.created_at));
}

function blockedBy(row: DeliveryRow & EndpointState, due: string): Wait | undefined {
  const { endpoint_head_id: head } = row;
  const probe = toNullableTimestamp(row.endpoint_probe_at);
  const until = toNullableTimestamp(row.endpoint_hold_until);
  if (head !== null && head !== row.id) {
    const reason = `Waiting behind ${head}, which failed: the endpoint receives its events in order.`;
    return { for: 'earlier_event', until: null, reason };
  }
  if (probe !== null && due <= probe) {
    const reason = `The endpoint cannot be reached. Next probe at ${probe}.`;
    return { for: 'endpoint_unreachable', until: null, reason };
  }
  if (until === null || due > until) return undefined;
  return { for: 'retry_after', until, reason: `The endpoint asked for a pause (Retry-After) until ${until}.` };
}

function nextAttempt(row: DeliveryRow, last: string): string {
  if (row.attempt_count === 0) return 'Waiting for the first attempt.';
  if (row.next_attempt_at === null) return `Attempt ${row.attempt_count} failed (${last}).`;
  return `Attempt ${row.attempt_count} failed (${last}). Next attempt at ${toTimestamp(row.next_attempt_at)}.`;
}

export function deliverySummary(event: string): string {
  return `(SELECT json_build_object(
     'total', count(*),
     'succeeded', count(*) FILTER (WHERE d.status = 'succeeded'),
     'pending', count(*) FILTER (WHERE d.status = 'pending'),
     'failed', count(*) FILTER (WHERE d.status = 'failed'),
     'cancelled', count(*) FILTER (WHERE d.status = 'cancelled')
   ) FROM delivery d WHERE d.event_id = ${event})`;
}

import type { ListedDelivery } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';
import { type DeliveryRow, toDelivery } from './delivery-record.ts';

export interface LastAttempt {
  last_duration_ms: number | null;
}

/** What is read of a delivery's endpoint beside it. */
export interface EndpointStanding {
  endpoint_status: 'active' | 'paused' | 'disabled' | null;
  endpoint_disabled_reason: 'gone' | 'failing' | 'manual' | null;
  /** When it is probed next, if it could not be reached. */
  endpoint_probe_at: string | null;
  /** Until when it wants nothing. */
  endpoint_hold_until: string | null;
  /** What was tried and holds up the rest, if it takes its events in order. */
  endpoint_head_id: string | null;
  /** Whether it was given up and is to be tried again, as somebody asked. */
  retry_waits: boolean | null;
}

/** SQL that puts an `EndpointStanding` beside each row of `delivery`. */
export const withStanding = `delivery LEFT JOIN LATERAL (
    SELECT e.status AS endpoint_status, e.disabled_reason AS endpoint_disabled_reason,
      CASE WHEN e.breaker = 'open' THEN e.next_probe_at END AS endpoint_probe_at,
      CASE WHEN e.hold_until > now() THEN e.hold_until END AS endpoint_hold_until,
      CASE WHEN e.ordered THEN (
        SELECT f.head_id FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id
        WHERE f.endpoint_id = e.id AND h.attempt_count > 0
      ) END AS endpoint_head_id,
      delivery.status = 'failed' AND EXISTS (SELECT FROM due u WHERE u.delivery_id = delivery.id) AS retry_waits
    FROM webhook_endpoint e WHERE e.id = delivery.endpoint_id
  ) standing ON true`;

/**
 * SQL: it did not arrive, and nothing newer was made of the same event for the same endpoint, which would be the one to
 * look at. What a failed test send was to show, it has shown. OFFSET 0 keeps its look-up one by key: as a join it would
 * begin with all events of the account.
 */
export const undelivered = `(status = 'pending' OR status = 'failed' AND NOT EXISTS (
    SELECT FROM delivery newer
    WHERE newer.event_id = delivery.event_id AND newer.endpoint_id = delivery.endpoint_id AND newer.id > delivery.id
      AND newer.status <> 'cancelled'
  ) AND NOT EXISTS (SELECT FROM event sample WHERE sample.id = delivery.event_id AND sample.test OFFSET 0))`;

const disabledBecause = {
  gone: 'because it answered 410 Gone',
  failing: 'because it failed for too long',
  manual: 'manually',
} as const;

/** What a pending delivery waits for beside its schedule. */
interface Wait {
  for: NonNullable<ListedDelivery['waiting_for']>;
  /** When it is tried at the earliest, where that is known. */
  until: string | null;
  reason: string;
}

/** The delivery with what it waits for; `next_attempt_at` is null where something else than a moment decides. */
export function toListed(row: DeliveryRow & EndpointStanding & LastAttempt): ListedDelivery {
  const delivery = toDelivery(row);
  const wait = waitOf(row);
  return {
    ...delivery,
    next_attempt_at: wait === undefined ? delivery.next_attempt_at : wait.until,
    reason: wait?.reason ?? reasonOf(row),
    waiting_for: wait?.for ?? null,
    last_duration_ms: row.last_duration_ms,
  };
}

const unobstructed: EndpointStanding & LastAttempt = {
  endpoint_status: 'active',
  endpoint_disabled_reason: null,
  endpoint_probe_at: null,
  endpoint_hold_until: null,
  endpoint_head_id: null,
  retry_waits: null,
  last_duration_ms: null,
};

/** A delivery without an attempt that nothing holds back, as a test send. */
export function toFreshDelivery(row: DeliveryRow): ListedDelivery {
  return toListed({ ...row, ...unobstructed });
}

/** One sentence: why a delivery did not arrive yet, or never will; null when it arrived or was cancelled. */
function reasonOf(row: DeliveryRow & EndpointStanding): string | null {
  const last = row.last_error?.replace(/^http_/, 'HTTP ') ?? 'no response';
  if (row.status === 'failed') {
    const tries = row.attempt_count === 1 ? 'one attempt' : `${row.attempt_count} attempts`;
    const next = row.retry_waits
      ? 'A retry was requested and is sent as soon as the endpoint accepts deliveries.'
      : 'Retry it, or recover the endpoint.';
    return `Gave up after ${tries}; the last one failed (${last}). ${next}`;
  }
  return row.status === 'pending' ? nextAttempt(row, last) : null;
}

function waitOf(row: DeliveryRow & EndpointStanding): Wait | undefined {
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
  // Before its first attempt a delivery has no other moment than that of its creation.
  return heldBack(row, toTimestamp(row.next_attempt_at ?? row.created_at));
}

/** What holds back an active endpoint's deliveries that are due at `due` or before. */
function heldBack(row: DeliveryRow & EndpointStanding, due: string): Wait | undefined {
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

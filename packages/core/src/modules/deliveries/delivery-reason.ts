import { toTimestamp } from '../../kernel/clock.ts';
import type { DeliveryRow } from './delivery-record.ts';

/** What a list reads of a delivery's endpoint. */
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
  manual: 'by hand',
} as const;

/** One sentence: why a delivery did not arrive yet, or never will; null when it arrived or was cancelled. */
export function reasonOf(row: DeliveryRow & EndpointStanding): string | null {
  const last = row.last_error ?? 'no answer';
  if (row.status === 'failed') {
    const tries = row.attempt_count === 1 ? 'one attempt' : `${row.attempt_count} attempts`;
    const next = row.retry_waits
      ? 'It is tried again as soon as the endpoint takes it, because somebody asked.'
      : 'Retry it, or recover the endpoint.';
    return `It was given up after ${tries}; the last one: ${last}. ${next}`;
  }
  if (row.status !== 'pending') return null;
  if (row.endpoint_status === 'paused') return 'The endpoint is paused: it waits until its status is active again.';
  if (row.endpoint_status === 'disabled') {
    const because = row.endpoint_disabled_reason === null ? '' : ` ${disabledBecause[row.endpoint_disabled_reason]}`;
    return `The endpoint was disabled${because}: it waits until its status is active again.`;
  }
  return heldBack(row) ?? nextAttempt(row, last);
}

/** What holds back an active endpoint's deliveries as a whole. */
function heldBack(row: DeliveryRow & EndpointStanding): string | null {
  const { endpoint_head_id: head, endpoint_probe_at: probe, endpoint_hold_until: until } = row;
  if (head !== null && head !== row.id)
    return `It waits behind ${head}, which failed: the endpoint takes its events in order.`;
  if (probe !== null) return `The endpoint cannot be reached: it waits for the probe at ${toTimestamp(probe)}.`;
  if (until !== null) return `The endpoint asked for a pause: it waits until ${toTimestamp(until)}.`;
  return null;
}

function nextAttempt(row: DeliveryRow, last: string): string {
  if (row.attempt_count === 0) return 'It waits for its first attempt.';
  if (row.next_attempt_at === null) return `Attempt ${row.attempt_count} ended with ${last}.`;
  return `Attempt ${row.attempt_count} ended with ${last}; the next one is at ${toTimestamp(row.next_attempt_at)}.`;
}

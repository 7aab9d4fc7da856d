import { agentEventTypes, attemptTimings, deliveryAttempt, hintForAttempt, type operations } from '@finhook/contracts';
import { type AttemptFacts, maskSignatures, redactPath, sentHeaders } from '@finhook/delivery';
import { accessibleCompanies, companyAccessSql, ownAgent, readableEventSql, readerOf } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import type { Context } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import type { OutputOf } from '../../verbs/verb.ts';
import { shownUrl, writesEndpoints } from '../webhooks/read.ts';
import type { Disposition } from './attempt.ts';
import type { DeliveryRow } from './delivery-record.ts';

type Attempt = OutputOf<typeof operations.deliveries.get>['attempts'][number];

type AttemptRow = RowOf<typeof deliveryAttempt, never, 'trigger' | 'hint' | 'timings'> &
  RowOf<typeof attemptTimings, never, 'total_ms'> & {
    trigger: 'automatic' | 'manual' | 'test';
    body_bytes: number | null;
    readable: boolean | null;
    knows_endpoint: boolean | null;
    disposition: Disposition['kind'] | null;
  };

// LEFT JOIN: the event's partition may be dropped before the delivery's.
const read = statement(
  'read_attempts',
  `SELECT a.*, ev.bytes AS body_bytes, ev.readable, ${companyAccessSql('$5', 'w.company_id')} AS knows_endpoint
   FROM attempt a LEFT JOIN webhook_endpoint w ON w.id = $6
   LEFT JOIN LATERAL (
     SELECT octet_length(coalesce((SELECT thin_body FROM delivery WHERE id = $1), body)) AS bytes,
       ${readableEventSql(3)} AS readable
     FROM event WHERE id = $2 LIMIT 1
   ) ev ON true
   WHERE a.delivery_id = $1 ORDER BY a.n`,
);

export function readAttempts(context: Context, delivery: DeliveryRow): Promise<AttemptRow[]> {
  const { id, event_id, endpoint_id } = delivery;
  const reader = [...readerOf(context), accessibleCompanies(context)];
  return context.database.query<AttemptRow>(read, [id, event_id, ...reader, endpoint_id]);
}

/**
 * Hides the response, which may repeat the event, from a caller without access to the event, and the URL's path, which
 * may contain a token, from one without access to the endpoint.
 */
export function toAttempt(context: Context, delivery: DeliveryRow, row: AttemptRow): Attempt {
  const shown = row.readable ?? !mayConcernOtherAgent(context, delivery);
  const response_snippet = shown ? row.response_snippet : null;
  return record(deliveryAttempt, row, {
    // The first attempt of a replay is stored as manual or automatic.
    trigger: row.trigger !== 'test' && row.n === 1 && delivery.replay_id !== null ? 'replay' : row.trigger,
    hint: hintForAttempt({ ...row, response_snippet, handshake: isHandshake(row) }),
    url: row.url && (row.knows_endpoint ? shownUrl(context, row.url) : redactPath(row.url)),
    timings: record(attemptTimings, row, { total_ms: row.duration_ms }),
    request_headers: row.connection_reused === null ? null : preparedHeaders(context, delivery, row),
    response_headers: shown ? row.response_headers : null,
    response_snippet,
  });
}

/** True if TCP connected but the TLS handshake did not end. */
function isHandshake({ url, connection_reused, connect_ms, tls_ms }: AttemptRow): boolean {
  return url?.startsWith('https:') === true && connection_reused !== true && connect_ms !== null && tls_ms === null;
}

/** Null if they were not recorded or are purged. */
export function preparedHeaders(
  context: Context,
  delivery: DeliveryRow,
  row: AttemptRow,
): Record<string, string> | null {
  if (row.request_headers === null) return null;
  const headers = sentHeaders(row.request_headers, factsOf(delivery, row));
  return row.knows_endpoint && writesEndpoints(context) ? headers : maskSignatures(headers);
}

/** True if a deleted event may have been about another agent than the caller. */
function mayConcernOtherAgent(context: Context, { event_type }: DeliveryRow): boolean {
  return ownAgent(context) !== null && agentEventTypes.some((type) => type === event_type);
}

function factsOf(delivery: DeliveryRow, row: AttemptRow): AttemptFacts {
  return {
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    attempt: row.n,
    bodyBytes: row.body_bytes ?? undefined,
    at: new Date(row.at),
    test: row.trigger === 'test',
  };
}

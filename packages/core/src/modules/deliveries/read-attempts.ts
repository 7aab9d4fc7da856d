import { agentEventTypes, hintForAttempt, type operations } from '@finhook/contracts';
import { type AttemptFacts, maskSignatures, redactPath, sentHeaders } from '@finhook/delivery';
import { ownAgent, reachesSql, reachOf, readableEventSql, readerOf } from '../../kernel/access.ts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import type { OutputOf } from '../../kernel/verb.ts';
import { shownUrl, writesEndpoints } from '../webhooks/read-endpoints.ts';
import type { DeliveryRow } from './delivery-record.ts';

/** A row of `attempt`, with what its event adds to it. */
export interface AttemptRow {
  n: number;
  at: string;
  trigger: 'automatic' | 'manual' | 'test';
  status_code: number | null;
  error: string | null;
  error_message: string | null;
  duration_ms: number;
  response_snippet: string | null;
  url: string | null;
  remote_address: string | null;
  connection_reused: boolean | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  evidence_purged_at: string | null;
  body_bytes: number | null;
  /** Whether the caller may read the event. */
  readable: boolean | null;
  /** Whether the caller may know the endpoint. */
  knows_endpoint: boolean | null;
}

type Attempt = OutputOf<typeof operations.deliveries.get>['attempts'][number];

// The event may be gone before the delivery: its partition is dropped by its own age.
const read = statement(
  'read_attempts',
  `SELECT a.*, ev.bytes AS body_bytes, ev.readable, ${reachesSql('$5', 'w.company_id')} AS knows_endpoint
   FROM attempt a LEFT JOIN webhook_endpoint w ON w.id = $6
   LEFT JOIN LATERAL (
     SELECT octet_length(body) AS bytes, ${readableEventSql(3)} AS readable
     FROM event WHERE id = $2 LIMIT 1
   ) ev ON true
   WHERE a.delivery_id = $1 ORDER BY a.n`,
);

/** The attempts of a delivery, first to last. */
export function readAttempts(context: Context, delivery: DeliveryRow): Promise<AttemptRow[]> {
  const { id, event_id, endpoint_id } = delivery;
  const reader = [...readerOf(context), reachOf(context)];
  return context.database.query<AttemptRow>(read, [id, event_id, ...reader, endpoint_id]);
}

/**
 * An answer may repeat what was sent: who may not read the event is not shown it. Of an endpoint that the caller may not
 * know, the path of the url is not shown either: it can hold a token.
 */
export function toAttempt(context: Context, delivery: DeliveryRow, row: AttemptRow): Attempt {
  const shown = row.readable ?? !mayTellOfAgents(context, delivery);
  return {
    n: row.n,
    at: toTimestamp(row.at),
    // The first delivery of a replay is due as a manual one, the others as any: the delivery knows that it is of a replay.
    trigger: row.trigger !== 'test' && row.n === 1 && delivery.replay_id !== null ? 'replay' : row.trigger,
    status_code: row.status_code,
    error: row.error,
    error_message: row.error_message,
    hint: hintForAttempt(row.error, row.status_code),
    duration_ms: row.duration_ms,
    url: row.url && (row.knows_endpoint ? shownUrl(context, row.url) : redactPath(row.url)),
    remote_address: row.remote_address,
    connection_reused: row.connection_reused,
    timings: {
      dns_ms: row.dns_ms,
      connect_ms: row.connect_ms,
      tls_ms: row.tls_ms,
      first_byte_ms: row.first_byte_ms,
      total_ms: row.duration_ms,
    },
    request_headers: row.connection_reused === null ? null : preparedHeaders(context, delivery, row),
    response_headers: shown ? row.response_headers : null,
    response_snippet: shown ? row.response_snippet : null,
    evidence_purged_at: toNullableTimestamp(row.evidence_purged_at),
  };
}

/** The headers prepared for an attempt, sent or not; null when they were not recorded or are purged. */
export function preparedHeaders(
  context: Context,
  delivery: DeliveryRow,
  row: AttemptRow,
): Record<string, string> | null {
  if (row.request_headers === null) return null;
  const headers = sentHeaders(row.request_headers, factsOf(delivery, row));
  return row.knows_endpoint && writesEndpoints(context) ? headers : maskSignatures(headers);
}

/** Whether an event that is gone, and can't be asked, may have told the caller, who is an agent, of another one (S7). */
function mayTellOfAgents(context: Context, { event_type }: DeliveryRow): boolean {
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

import type { SendResult } from '@finhook/delivery';
import type { Logger } from '@finhook/runtime';
import type { JudgedAttempt } from './judge-attempt.ts';

/** One wide line per attempt: failures at info, successes at debug. Never bodies, URLs or secrets (S20). */
export function logAttempt(
  logger: Logger,
  { outcome, record }: JudgedAttempt,
  { timings }: SendResult,
  traceId: string | undefined,
): void {
  const { claim, disposition } = record;
  const fields = {
    endpoint_id: claim.endpointId,
    event_id: claim.eventId,
    event_type: claim.eventType,
    delivery_id: claim.deliveryId,
    attempt: claim.attempt,
    trigger: claim.trigger,
    outcome: outcome.kind,
    disposition: disposition.kind,
    // How far the next one is, and not when: the record says when, on the database's clock.
    next_attempt_in_ms: disposition.kind === 'retry' ? disposition.delayMs : null,
    status_code: record.statusCode,
    error: record.error,
    duration_ms: record.durationMs,
    dns_ms: timings?.dnsMs ?? null,
    connect_ms: timings?.connectMs ?? null,
    tls_ms: timings?.tlsMs ?? null,
    first_byte_ms: timings?.firstByteMs ?? null,
    reused_connection: timings?.reused ?? null,
    body_bytes: claim.bodyBytes,
    trace_id: traceId,
  };
  if (outcome.kind === 'delivered') logger.debug(fields, 'delivered');
  else logger.info(fields, 'delivery attempt failed');
}

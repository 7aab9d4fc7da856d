import type { Logger } from '@finhook/platform';
import type { JudgedAttempt } from './judge-attempt.ts';

/** One wide line per attempt: failures at info, successes at debug. Never bodies, URLs or secrets (S20). */
export function logAttempt(logger: Logger, { outcome, record }: JudgedAttempt): void {
  const { claim } = record;
  const fields = {
    endpoint_id: claim.endpointId,
    event_id: claim.eventId,
    event_type: claim.eventType,
    delivery_id: claim.deliveryId,
    attempt: claim.attempt,
    trigger: claim.trigger,
    outcome: outcome.kind,
    disposition: record.disposition.kind,
    status_code: record.statusCode,
    error: record.error,
    duration_ms: record.durationMs,
  };
  if (outcome.kind === 'delivered') logger.debug(fields, 'delivered');
  else logger.info(fields, 'delivery attempt failed');
}

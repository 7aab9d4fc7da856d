import type { ClaimedDelivery } from '@finhook/core';
import type { SendResult } from '@finhook/delivery';
import type { Logger, SpanAttributes, TraceSpan, Tracing } from '@finhook/runtime';
import type { JudgedAttempt } from '../deliver/judge-attempt.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

interface WatchedAttempt {
  readonly headers: Readonly<Record<string, string>> | undefined;
  ended(judged: JudgedAttempt, result: SendResult): void;
  /** The attempt failed within this process. */
  abandoned(): void;
}

/** Writes the log line, metrics and span of every attempt. */
export interface AttemptWatch {
  begin(claim: ClaimedDelivery): WatchedAttempt;
  inFlight(): number;
}

export interface AttemptWatchOptions {
  readonly logger: Logger;
  readonly metrics?: DeliveryMetrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Sends receivers a `traceparent` header with the attempt's span. */
  readonly sendTraceparent?: boolean | undefined;
}

export function createAttemptWatch(options: AttemptWatchOptions): AttemptWatch {
  const { logger, metrics, tracing, sendTraceparent = false } = options;
  let inFlight = 0;
  const watch = (span: TraceSpan | undefined): WatchedAttempt => ({
    headers: sendTraceparent && span !== undefined ? { traceparent: span.traceparent } : undefined,
    ended: (judged, result) => {
      inFlight -= 1;
      logAttempt(logger, judged, result, span?.traceId);
      metrics?.attempted(judged);
      if (span !== undefined) endSpan(span, judged, result);
    },
    abandoned: () => {
      inFlight -= 1;
      metrics?.abandoned();
      span?.end({}, 'not_sent');
    },
  });
  const untraced = watch(undefined);
  return {
    inFlight: () => inFlight,
    begin: (claim) => {
      inFlight += 1;
      const span = tracing?.start({
        name: `deliver ${claim.eventType}`,
        kind: 'client',
        parent: claim.traceparent,
        attributes: attributesOf(claim),
      });
      metrics?.begun();
      return span === undefined ? untraced : watch(span);
    },
  };
}

/** One line per attempt: failures at info, successes at debug. Never bodies, URLs or secrets. */
function logAttempt(
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
    // A duration, because the record's time is of the database's clock.
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

function attributesOf(claim: ClaimedDelivery): SpanAttributes {
  return {
    'finhook.event.id': claim.eventId,
    'finhook.event.type': claim.eventType,
    'finhook.delivery.id': claim.deliveryId,
    'finhook.endpoint.id': claim.endpointId,
    'finhook.attempt': claim.attempt,
    'finhook.trigger': claim.trigger,
    'http.request.method': 'POST',
    'http.request.body.size': claim.bodyBytes,
  };
}

function endSpan(span: TraceSpan, { outcome, record }: JudgedAttempt, { timings }: SendResult): void {
  const attributes: Record<string, string | number | boolean> = {
    'finhook.outcome': outcome.kind,
    'finhook.disposition': record.disposition.kind,
  };
  const add = (name: string, value: number | boolean | null | undefined) => {
    if (value != null) attributes[name] = value;
  };
  add('http.response.status_code', record.statusCode);
  add('finhook.next_attempt_in_ms', record.disposition.kind === 'retry' ? record.disposition.delayMs : null);
  add('finhook.dns_ms', timings?.dnsMs);
  add('finhook.connect_ms', timings?.connectMs);
  add('finhook.tls_ms', timings?.tlsMs);
  add('finhook.first_byte_ms', timings?.firstByteMs);
  add('finhook.connection_reused', timings?.reused);
  span.end(attributes, record.error ?? undefined);
}

import { type AttemptRecord, type ClaimedDelivery, readIdTime } from '@finhook/core';
import type { Metrics } from '@finhook/runtime';
import type { JudgedAttempt } from '../deliver/judge-attempt.ts';

export interface DeliveryMetrics {
  readonly begun: () => void;
  readonly attempted: (judged: JudgedAttempt) => void;
  readonly abandoned: () => void;
  /** Called only for records whose lease was still held. */
  readonly recorded: (record: AttemptRecord) => void;
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20, 30];
const latencyBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Labels have few values, whatever receivers return. */
export function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  let inFlight = 0;
  metrics.gauge({ name: 'finhook_deliveries_in_flight', help: 'Requests to endpoints in flight.', labels: [] }, () => [
    { labels: {}, value: inFlight },
  ]);
  const attempts = metrics.counter({
    name: 'finhook_delivery_attempts_total',
    help: 'Attempts by outcome: result is 2xx to 5xx, other, or the class of the error.',
    labels: ['trigger', 'attempt', 'outcome', 'result'],
  });
  const durations = metrics.histogram(
    { name: 'finhook_delivery_attempt_duration_seconds', help: 'How long attempts took.', labels: ['outcome'] },
    durationBuckets,
  );
  const latencies = metrics.histogram(
    {
      name: 'finhook_delivery_latency_seconds',
      help: 'From the event to the 2xx response, of deliveries that succeeded at their first attempt.',
      labels: [],
    },
    latencyBuckets,
  );
  const ended = metrics.counter({
    name: 'finhook_deliveries_ended_total',
    help: 'Deliveries that ended: succeeded, or failed permanently.',
    labels: ['status'],
  });
  for (const status of ['succeeded', 'failed']) ended.add({ status }, 0);
  return {
    begun: () => {
      inFlight += 1;
    },
    attempted: ({ outcome, record }) => {
      inFlight -= 1;
      const { trigger, attempt, eventId } = record.claim;
      const labels = { trigger, attempt: attemptKind(record.claim), outcome: outcome.kind, result: resultOf(record) };
      attempts.add(labels);
      durations.observe({ outcome: outcome.kind }, record.durationMs / 1000);
      if (outcome.kind !== 'delivered' || attempt !== 1 || trigger !== 'automatic') return;
      const deliveredAt = record.at.getTime() + record.durationMs;
      latencies.observe({}, Math.max(0, deliveredAt - readIdTime(eventId)) / 1000);
    },
    abandoned: () => {
      inFlight -= 1;
    },
    recorded: ({ disposition: { kind } }) => {
      if (kind === 'succeeded' || kind === 'failed') ended.add({ status: kind });
    },
  };
}

function resultOf({ statusCode, error }: AttemptRecord): string {
  // A truncated response has a status code and an error.
  if (error !== null && !error.startsWith('http_')) return error;
  if (statusCode === null) return 'unknown';
  return statusCode >= 200 && statusCode < 600 ? `${Math.floor(statusCode / 100)}xx` : 'other';
}

function attemptKind({ attempt, probe }: ClaimedDelivery): 'first' | 'retry' | 'probe' {
  if (probe === true) return 'probe';
  return attempt === 1 ? 'first' : 'retry';
}

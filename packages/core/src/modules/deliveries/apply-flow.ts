import { type AttemptOutcome, type EndpointFlow, evaluateFlow, type FlowConfig } from '@finhook/delivery';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';

export interface FlowBasis {
  config: FlowConfig;
  perSecond: number;
}

function flowOf(endpoint: WebhookEndpoint): EndpointFlow {
  return {
    breaker: endpoint.breaker,
    since: endpoint.breaker_since ?? undefined,
    nextProbeAt: endpoint.next_probe_at ?? undefined,
    probeWaitMs: endpoint.probe_wait_ms ?? undefined,
    unreachable: endpoint.unreachable_count,
    holdUntil: endpoint.hold_until ?? undefined,
    pacedTo: endpoint.paced_to ?? undefined,
  };
}

export function applyFlow(
  endpoint: WebhookEndpoint,
  outcomes: readonly AttemptOutcome[],
  now: Date,
  { config, perSecond }: FlowBasis,
): void {
  const flows = outcomes.flatMap(({ flow }) => flow ?? []);
  const next = evaluateFlow(flowOf(endpoint), flows, { now, perSecond, config });
  Object.assign(endpoint, {
    breaker: next.breaker,
    breaker_since: next.since ?? null,
    next_probe_at: next.nextProbeAt ?? null,
    probe_wait_ms: next.probeWaitMs ?? null,
    unreachable_count: next.unreachable,
    hold_until: next.holdUntil ?? null,
    paced_to: next.pacedTo ?? null,
  });
}

/** The earliest time at which pause and breaker allow a delivery that is due at `at`. */
export function notBefore(endpoint: WebhookEndpoint, at: Date): Date {
  const bounds = [at, endpoint.hold_until, endpoint.next_probe_at].map((bound) => bound?.getTime() ?? 0);
  return new Date(Math.max(...bounds));
}

/** Must equal the generated column `gated`. */
export function isGated(endpoint: WebhookEndpoint): boolean {
  const { rate_limit_requests, max_concurrency, ordered, breaker, hold_until, paced_to } = endpoint;
  const bounds = [rate_limit_requests, max_concurrency, hold_until, paced_to];
  return ordered || breaker === 'open' || bounds.some((set) => set != null);
}

import { type AttemptOutcome, type EndpointFlow, evaluateFlow, type FlowConfig } from '@finhook/delivery';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';

/** How the flow to an endpoint is judged. */
export interface FlowBasis {
  config: FlowConfig;
  /** Requests a second at which the outcomes came about. */
  perSecond: number;
}

function flowOf(endpoint: WebhookEndpoint): EndpointFlow {
  return {
    breaker: endpoint.breaker,
    since: endpoint.breakerSince ?? undefined,
    nextProbeAt: endpoint.nextProbeAt ?? undefined,
    probeWaitMs: endpoint.probeWaitMs ?? undefined,
    unreachable: endpoint.unreachableCount,
    holdUntil: endpoint.holdUntil ?? undefined,
    pacedTo: endpoint.pacedTo ?? undefined,
  };
}

/** Sets an endpoint's breaker, pause and pace to what follows from these outcomes. */
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
    breakerSince: next.since ?? null,
    nextProbeAt: next.nextProbeAt ?? null,
    probeWaitMs: next.probeWaitMs ?? null,
    unreachableCount: next.unreachable,
    holdUntil: next.holdUntil ?? null,
    pacedTo: next.pacedTo ?? null,
  });
}

/** When what is due at `at` may be sent at the earliest, as far as pause and breaker are known. */
export function notBefore(endpoint: WebhookEndpoint, at: Date): Date {
  const bounds = [at, endpoint.holdUntil, endpoint.nextProbeAt].map((bound) => bound?.getTime() ?? 0);
  return new Date(Math.max(...bounds));
}

/** The same as the generated column `gated`. */
export function isGated(endpoint: WebhookEndpoint): boolean {
  const { rateLimitRequests, maxConcurrency, ordered, breaker, holdUntil, pacedTo } = endpoint;
  return (
    ordered || breaker === 'open' || [rateLimitRequests, maxConcurrency, holdUntil, pacedTo].some((set) => set != null)
  );
}

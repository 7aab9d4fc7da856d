import type { SendResult } from '../transport/send-result.ts';
import { type Outcome, retryAfterMs, slowDownStatuses } from './classify.ts';

export type EndpointFlow = {
  readonly breaker: 'closed' | 'open';
  readonly since?: Date | undefined;
  readonly nextProbeAt?: Date | undefined;
  readonly probeWaitMs?: number | undefined;
  readonly unreachable: number;
  readonly holdUntil?: Date | undefined;
  readonly pacedTo?: number | undefined;
};

export type FlowOutcome = {
  readonly at: Date;
  readonly kind: 'success' | 'unreachable' | 'slow_down' | 'other';
  readonly waitMs?: number | undefined;
  readonly probe?: boolean | undefined;
  /** True for a manual retry, a test, and the first delivery of a replay. */
  readonly requested?: boolean | undefined;
};

export type FlowConfig = {
  readonly openAfter: number;
  /** The wait before the first probe; it doubles with each failed one. */
  readonly firstProbeMs: number;
  readonly maxProbeMs: number;
};

/** Opens after as many failures as make an endpoint failing. */
export const defaultFlowConfig: FlowConfig = { openAfter: 5, firstProbeMs: 5_000, maxProbeMs: 5 * 60_000 };

/** Lowest and highest reduced rate per second. Above the highest, the reduction ends. */
const slowest = 0.1;
const fastest = 100;
const recovery = 10;

const unreachableClasses: ReadonlySet<string> = new Set([
  'dns',
  'connect_refused',
  'connect_timeout',
  'timeout',
  'reset',
  'tls',
]);

/** `at` is when the request was sent, `now` when it ended. */
export function flowOutcomeOf(result: SendResult, outcome: Outcome, at: Date, now: Date): FlowOutcome {
  if (outcome.kind === 'delivered') return { at, kind: 'success' };
  if (result.kind === 'error') {
    return { at, kind: unreachableClasses.has(result.errorClass) ? 'unreachable' : 'other' };
  }
  if (!slowDownStatuses.has(result.statusCode)) return { at, kind: 'other' };
  return { at, kind: 'slow_down', waitMs: retryAfterMs(result, now) };
}

/**
 * Applies attempts in the order of sending. Pure: the caller stores the state under the endpoint's row lock. A
 * slow-down halves `perSecond` once, however many attempts had that status; successes raise it again.
 */
export function evaluateFlow(
  state: EndpointFlow,
  outcomes: readonly FlowOutcome[],
  { now, perSecond, config }: { readonly now: Date; readonly perSecond: number; readonly config: FlowConfig },
): EndpointFlow {
  let next: EndpointFlow =
    state.holdUntil !== undefined && state.holdUntil <= now ? { ...state, holdUntil: undefined } : state;
  for (const outcome of outcomes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    next = outcome.kind === 'success' ? afterSuccess(next, outcome, now) : afterFailure(next, outcome, now, config);
  }
  if (!outcomes.some(({ kind }) => kind === 'slow_down')) return next;
  const halved = Math.min(state.pacedTo ?? Number.POSITIVE_INFINITY, perSecond) / 2;
  return { ...next, pacedTo: Math.min(fastest, Math.max(slowest, halved)) };
}

function afterSuccess(state: EndpointFlow, { requested }: FlowOutcome, now: Date): EndpointFlow {
  const { pacedTo, holdUntil } = state;
  const closes = state.breaker === 'open';
  const closed: EndpointFlow = { breaker: 'closed', since: closes ? now : state.since, unreachable: 0 };
  // A manual success shows that the receiver is repaired: Retry-After and reduced rate end.
  if (requested === true) return closed;
  const faster = pacedTo === undefined ? undefined : pacedTo + Math.min(1, recovery / pacedTo);
  return {
    ...closed,
    holdUntil,
    pacedTo: faster === undefined || faster > fastest ? undefined : faster,
  };
}

function afterFailure(state: EndpointFlow, outcome: FlowOutcome, now: Date, config: FlowConfig): EndpointFlow {
  const holdUntil = laterHold(state.holdUntil, outcome.waitMs ?? 0, now);
  const unreachable =
    outcome.kind === 'unreachable' ? state.unreachable + 1 : state.breaker === 'open' ? state.unreachable : 0;
  const counted: EndpointFlow = { ...state, holdUntil, unreachable };
  if (state.breaker === 'closed') {
    return unreachable < config.openAfter
      ? counted
      : { ...counted, breaker: 'open', since: now, ...probeAfter(config.firstProbeMs, now) };
  }
  // Requests in flight when it opened, and manual ones, don't count.
  if (outcome.probe !== true) return counted;
  const waitMs = Math.min(config.maxProbeMs, 2 * (state.probeWaitMs ?? config.firstProbeMs));
  return { ...counted, ...probeAfter(waitMs, now) };
}

function probeAfter(waitMs: number, now: Date): Pick<EndpointFlow, 'nextProbeAt' | 'probeWaitMs'> {
  return { nextProbeAt: new Date(now.getTime() + waitMs), probeWaitMs: Math.round(waitMs) };
}

function laterHold(current: Date | undefined, waitMs: number, now: Date): Date | undefined {
  if (waitMs <= 0) return current;
  const asked = new Date(now.getTime() + waitMs);
  return current !== undefined && current > asked ? current : asked;
}

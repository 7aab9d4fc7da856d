import type { SendResult } from '../transport/send-result.ts';
import { type Outcome, retryAfterMs, slowDownStatuses } from './classify.ts';

/** How an endpoint is spared: its circuit breaker, the pause that it asked for, and the pace that it bears. */
export type EndpointFlow = {
  readonly breaker: 'closed' | 'open';
  /** When the breaker last opened or closed. */
  readonly since?: Date | undefined;
  /** When the next delivery may be tried while it is open, and the wait that led there. */
  readonly nextProbeAt?: Date | undefined;
  readonly probeWaitMs?: number | undefined;
  /** Attempts in a row that got no answer. */
  readonly unreachable: number;
  /** Retry-After: nothing is sent by itself before. */
  readonly holdUntil?: Date | undefined;
  /** Requests a second, once it answered that it has too much to do. */
  readonly pacedTo?: number | undefined;
};

/** How an attempt bears on the flow to its endpoint. */
export type FlowOutcome = {
  readonly at: Date;
  readonly kind: 'success' | 'unreachable' | 'slow_down' | 'other';
  /** What Retry-After asked for, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** Whether it was let through an open breaker to see whether the endpoint is back. */
  readonly probe?: boolean | undefined;
  /** Whether a person asked for it: a retry, a test, or the first delivery of a replay. */
  readonly requested?: boolean | undefined;
};

export type FlowConfig = {
  /** Attempts in a row without an answer that open the breaker. */
  readonly openAfter: number;
  /** The wait before the first probe; it doubles with each that fails. */
  readonly firstProbeMs: number;
  readonly maxProbeMs: number;
};

/** It opens when D47 calls an endpoint failing. The longest wait is short beside the steps of the retry schedule. */
export const defaultFlowConfig: FlowConfig = { openAfter: 5, firstProbeMs: 5_000, maxProbeMs: 5 * 60_000 };

/** Slowest and fastest pace in requests a second; who bears more is not paced. */
const slowest = 0.1;
const fastest = 100;
/** Requests a second that a second of good answers adds. */
const recovery = 10;

const unreachableClasses: ReadonlySet<string> = new Set([
  'dns',
  'connect_refused',
  'connect_timeout',
  'timeout',
  'reset',
  'tls',
]);

/** How the result of an attempt bears on the flow; `at` is when it was sent, `now` when it was answered. */
export function flowOutcomeOf(result: SendResult, outcome: Outcome, at: Date, now: Date): FlowOutcome {
  if (outcome.kind === 'delivered') return { at, kind: 'success' };
  if (result.kind === 'error') {
    return { at, kind: unreachableClasses.has(result.errorClass) ? 'unreachable' : 'other' };
  }
  if (!slowDownStatuses.has(result.statusCode)) return { at, kind: 'other' };
  return { at, kind: 'slow_down', waitMs: retryAfterMs(result, now) };
}

/**
 * Applies attempts, in the order in which they were sent, to the flow. Pure: the caller stores the state under the
 * endpoint's row lock. `perSecond` is the rate at which they were made: a slow-down halves it once, however many of
 * them asked for it, and good answers raise it again by steps.
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
  // A person repaired the receiver and has seen it accept an event: what it asked for before no longer holds.
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
  // What was under way when it opened, or was sent by hand, says nothing new.
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

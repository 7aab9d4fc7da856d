import type { Outcome } from './classify.ts';
import type { FlowOutcome } from './flow.ts';

const hour = 60 * 60 * 1000;

/** A streak is the run of failures since the last 2xx. */
export type EndpointHealth = {
  readonly status: 'active' | 'paused' | 'disabled';
  readonly consecutiveFailures: number;
  readonly firstFailedAt?: Date | undefined;
  readonly lastFailedAt?: Date | undefined;
  readonly lastSuccessAt?: Date | undefined;
  /** When the streak was reported as failing, and when the disabling was announced. */
  readonly failingNotifiedAt?: Date | undefined;
  readonly disableWarnedAt?: Date | undefined;
};

export type AttemptOutcome = {
  readonly kind: 'success' | 'failure' | 'gone';
  readonly at: Date;
  /** Only for the throttle; health itself ignores it. */
  readonly flow?: FlowOutcome | undefined;
};

export type HealthSignal =
  | { readonly kind: 'failing'; readonly at: Date }
  | { readonly kind: 'disable_warning'; readonly at: Date; readonly willDisableAt: Date }
  | { readonly kind: 'disabled'; readonly at: Date; readonly reason: 'gone' | 'failing' }
  | { readonly kind: 'recovered'; readonly at: Date; readonly failingSince: Date; readonly failures: number };

export type HealthVerdict = { readonly state: EndpointHealth; readonly signals: readonly HealthSignal[] };

export const healthConfig = {
  failingThreshold: 5,
  /** Age of the streak, and failures in it, that disable an endpoint. */
  disableAfterMs: 5 * 24 * hour,
  disableMinFailures: 20,
  /** Time from the announcement to the disabling. */
  disableWarningMs: 24 * hour,
};

export function newEndpointHealth(status: EndpointHealth['status'] = 'active'): EndpointHealth {
  return { status, consecutiveFailures: 0 };
}

export function attemptOutcomeOf(outcome: Outcome, at: Date): AttemptOutcome {
  if (outcome.kind === 'delivered') return { kind: 'success', at };
  return { kind: outcome.kind === 'gone' ? 'gone' : 'failure', at };
}

/**
 * Applies attempts in order of time. Pure: the caller stores `state` and acts on `signals` in one transaction, under
 * the endpoint's row lock. A disabled endpoint causes no signals.
 */
export function evaluateHealth(state: EndpointHealth, outcomes: readonly AttemptOutcome[]): HealthVerdict {
  const signals: HealthSignal[] = [];
  let next = state;
  for (const outcome of outcomes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const verdict = outcome.kind === 'success' ? afterSuccess(next, outcome.at) : afterFailure(next, outcome);
    next = verdict.state;
    signals.push(...verdict.signals);
  }
  return { state: next, signals };
}

/** Announces and disables an endpoint without attempts. For a scheduled job; `evaluateHealth` includes it. */
export function evaluateHealthAt(state: EndpointHealth, now: Date): HealthVerdict {
  const disableAt = willDisableAt(state);
  if (disableAt === undefined) return { state, signals: [] };
  if (state.disableWarnedAt !== undefined) {
    return now >= disableAt ? disabled(state, now, 'failing') : { state, signals: [] };
  }
  if (now.getTime() < disableAt.getTime() - healthConfig.disableWarningMs) return { state, signals: [] };
  const warned: EndpointHealth = { ...state, disableWarnedAt: now };
  const signal: HealthSignal = {
    kind: 'disable_warning',
    at: now,
    willDisableAt: willDisableAt(warned) ?? now,
  };
  return { state: warned, signals: [signal] };
}

/** Undefined unless the endpoint is failing. Never sooner than the notice period after the announcement. */
export function willDisableAt(state: EndpointHealth): Date | undefined {
  const { status, consecutiveFailures, firstFailedAt, disableWarnedAt } = state;
  const { disableAfterMs, disableMinFailures, disableWarningMs } = healthConfig;
  if (status !== 'active' || firstFailedAt === undefined || consecutiveFailures < disableMinFailures) {
    return undefined;
  }
  const due = firstFailedAt.getTime() + disableAfterMs;
  const noticeEnds = disableWarnedAt === undefined ? due : disableWarnedAt.getTime() + disableWarningMs;
  return new Date(Math.max(due, noticeEnds));
}

function afterSuccess(state: EndpointHealth, at: Date): HealthVerdict {
  const lastSuccessAt = later(state.lastSuccessAt, at);
  // A success from before the streak, recorded late, doesn't end it.
  if (state.firstFailedAt !== undefined && at < state.firstFailedAt) {
    return { state: { ...state, lastSuccessAt }, signals: [] };
  }
  const ended = { ...newEndpointHealth(state.status), lastSuccessAt };
  const { status, firstFailedAt, failingNotifiedAt, consecutiveFailures } = state;
  if (failingNotifiedAt === undefined || firstFailedAt === undefined || status === 'disabled') {
    return { state: ended, signals: [] };
  }
  return {
    state: ended,
    signals: [{ kind: 'recovered', at, failingSince: firstFailedAt, failures: consecutiveFailures }],
  };
}

function afterFailure(state: EndpointHealth, outcome: AttemptOutcome): HealthVerdict {
  const { at } = outcome;
  const late = state.lastSuccessAt !== undefined && at < state.lastSuccessAt;
  if (late && outcome.kind !== 'gone') return { state, signals: [] };
  const counted: EndpointHealth = {
    ...state,
    consecutiveFailures: state.consecutiveFailures + 1,
    firstFailedAt: state.firstFailedAt !== undefined && state.firstFailedAt < at ? state.firstFailedAt : at,
    lastFailedAt: later(state.lastFailedAt, at),
  };
  if (counted.status === 'disabled') return { state: counted, signals: [] };
  if (outcome.kind === 'gone') return disabled(counted, at, 'gone');
  const isNews =
    counted.failingNotifiedAt === undefined && counted.consecutiveFailures >= healthConfig.failingThreshold;
  const timed = evaluateHealthAt(isNews ? { ...counted, failingNotifiedAt: at } : counted, at);
  return isNews ? { state: timed.state, signals: [{ kind: 'failing', at }, ...timed.signals] } : timed;
}

function disabled(state: EndpointHealth, at: Date, reason: 'gone' | 'failing'): HealthVerdict {
  return { state: { ...state, status: 'disabled' }, signals: [{ kind: 'disabled', at, reason }] };
}

function later(a: Date | undefined, b: Date): Date {
  return a !== undefined && a > b ? a : b;
}

import type { AttemptRecord, ClaimedDelivery, Disposition } from '@finhook/core';
import {
  classify,
  defaultMaxAttempts,
  failureOf,
  type Outcome,
  type RetryTiming,
  type SendResult,
} from '@finhook/delivery';

export interface JudgedAttempt {
  readonly outcome: Outcome;
  readonly record: AttemptRecord;
}

export interface AttemptTimes {
  readonly at: Date;
  /** The time of the result. */
  readonly now: Date;
}

/** With `again`, the delivery stays leased for `leaseMs`, is retried immediately, and keeps its schedule. */
export function judgeAttempt(
  claim: ClaimedDelivery,
  result: SendResult,
  { at, now }: AttemptTimes,
  timing: RetryTiming,
  again?: { readonly leaseMs: number },
): JudgedAttempt {
  const outcome = classify(result, {
    ...timing,
    attempt: claim.step + 1,
    maxAttempts: timing.schedule?.length ?? defaultMaxAttempts,
    now,
  });
  const failure = failureOf(result);
  const response = result.kind === 'response' ? result : result.response;
  return {
    outcome,
    record: {
      claim,
      disposition: again === undefined ? dispositionOf(claim, outcome, now) : { kind: 'again', ...again },
      at,
      durationMs: result.durationMs,
      statusCode: response?.statusCode ?? null,
      error: failure?.error ?? null,
      errorMessage: failure?.message ?? null,
      errorCode: result.kind === 'error' ? result.errorCode : undefined,
      responseTruncated: result.kind === 'response' && result.responseTruncated,
      responseSnippet: response?.bodySnippet || null,
      evidence: result.evidence,
    },
  };
}

/** A manual attempt never changes the automatic schedule; a test is never retried. */
function dispositionOf(claim: ClaimedDelivery, outcome: Outcome, now: Date): Disposition {
  if (outcome.kind === 'delivered') return { kind: 'succeeded' };
  if (claim.trigger === 'manual') return { kind: claim.scheduled ? 'restore' : 'failed' };
  if (claim.trigger === 'automatic' && outcome.kind === 'retry') {
    return { kind: 'retry', delayMs: Math.max(0, outcome.nextAttemptAt.getTime() - now.getTime()) };
  }
  return { kind: 'failed' };
}

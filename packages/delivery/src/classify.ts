import { parseRetryAfter } from './parse-retry-after.ts';
import { nextDelayMs, type RetryTiming } from './retry-schedule.ts';
import type { SendResult } from './send-result.ts';

/** What an attempt means for its delivery. Only `retry` leaves the delivery open. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly nextAttemptAt: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'exhausted' };

export type ClassifyContext = RetryTiming & {
  /** The number of the attempt that gave the result, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly now: Date;
};

/**
 * Turns the result of an attempt into an outcome (decisions D45, D46; Standard Webhooks 1.0.0): 2xx alone is success,
 * a redirect is a failure, 410 ends the subscription, 429 and 503 wait at least as long as Retry-After asks.
 * Retry-After is never scaled.
 */
export function classify(result: SendResult, context: ClassifyContext): Outcome {
  if (result.kind === 'error' && result.errorClass === 'blocked_address') {
    return { kind: 'blocked', reason: result.message };
  }
  if (result.kind === 'response') {
    if (result.statusCode >= 200 && result.statusCode <= 299) return { kind: 'delivered' };
    if (result.statusCode === 410) return { kind: 'gone' };
  }
  if (context.attempt >= context.maxAttempts) return { kind: 'exhausted' };
  const waitMs = Math.max(nextDelayMs(context), askedWaitMs(result, context.now));
  return { kind: 'retry', nextAttemptAt: new Date(context.now.getTime() + waitMs) };
}

function askedWaitMs(result: SendResult, now: Date): number {
  if (result.kind !== 'response' || (result.statusCode !== 429 && result.statusCode !== 503)) return 0;
  return parseRetryAfter(result.headers['retry-after'], now) ?? 0;
}

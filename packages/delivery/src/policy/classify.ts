import { redactText } from '../redact/redact-text.ts';
import type { SendResult } from '../transport/send-result.ts';
import { nextDelayMs, parseRetryAfter, type RetryTiming } from './retry-delay.ts';

/** What an attempt means for its delivery. Only `retry` leaves the delivery open. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly nextAttemptAt: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'exhausted' };

type ClassifyContext = RetryTiming & {
  /** The number of the attempt that gave the result, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly now: Date;
};

/**
 * Turns the result of an attempt into an outcome (decisions D45, D46; Standard Webhooks 1.0.0): 2xx alone is success,
 * a redirect is a failure, 410 ends the subscription, 429, 502, 503 and 504 wait at least as long as Retry-After asks.
 * Retry-After is never scaled.
 */
export function classify(result: SendResult, context: ClassifyContext): Outcome {
  if (result.kind === 'error' && result.errorClass === 'blocked_address') {
    return { kind: 'blocked', reason: result.message };
  }
  if (result.kind === 'response') {
    if (isSuccess(result.statusCode)) return { kind: 'delivered' };
    if (result.statusCode === 410) return { kind: 'gone' };
  }
  if (context.attempt >= context.maxAttempts) return { kind: 'exhausted' };
  const waitMs = Math.max(nextDelayMs(context), retryAfterMs(result, context.now));
  return { kind: 'retry', nextAttemptAt: new Date(context.now.getTime() + waitMs) };
}

/** Statuses that say "less, please", or come from a proxy whose backend can't keep up. */
export const slowDownStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Milliseconds that a receiver asks to be left alone by Retry-After, at most 24 h; 0 when it doesn't. */
export function retryAfterMs(result: SendResult, now: Date): number {
  if (result.kind !== 'response' || !slowDownStatuses.has(result.statusCode)) return 0;
  return parseRetryAfter(result.headers['retry-after'], now) ?? 0;
}

/**
 * Whether the request met no receiver, or a connection that was just being closed, so that a second try at once may
 * well succeed: refused, no answer from DNS, or broken before a byte of the answer.
 */
export function deservesImmediateRetry(result: SendResult): boolean {
  return result.kind === 'error' && ['connect_refused', 'dns', 'reset'].includes(result.errorClass);
}

/** Why an attempt failed: `http_<status>` or the class of the error, and one sentence for people, without secrets. */
type Failure = { readonly error: string; readonly message: string };

/** What was wrong with the result of an attempt; undefined where it succeeded: 2xx alone does (Standard Webhooks 1.0.0). */
export function failureOf(result: SendResult): Failure | undefined {
  if (result.kind === 'error') return { error: result.errorClass, message: redactText(result.message) };
  if (isSuccess(result.statusCode)) return undefined;
  return { error: `http_${result.statusCode}`, message: messageOf(result.statusCode) };
}

/** Whether a status says that a delivery was taken. */
function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

function messageOf(statusCode: number): string {
  if (statusCode === 410) return 'The endpoint answered 410 Gone: it wants no more deliveries.';
  if (statusCode >= 300 && statusCode <= 399) return `The endpoint answered ${statusCode}; redirects are not followed.`;
  return `The endpoint answered ${statusCode} instead of a 2xx status.`;
}

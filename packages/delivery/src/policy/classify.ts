import { redactText } from '../redact/redact-text.ts';
import type { SendResult } from '../transport/send-result.ts';
import { nextDelayMs, parseRetryAfter, type RetryTiming } from './retry-delay.ts';

export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly nextAttemptAt: Date }
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'out_of_attempts' };

type ClassifyContext = RetryTiming & {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly now: Date;
};

/**
 * By Standard Webhooks 1.0.0: only 2xx succeeds, redirects fail, 410 disables the endpoint. The Retry-After of some
 * statuses is the minimum wait, which `scale` does not multiply.
 */
export function classify(result: SendResult, context: ClassifyContext): Outcome {
  if (result.kind === 'error' && result.errorClass === 'blocked_address') {
    return { kind: 'blocked', reason: result.message };
  }
  if (result.kind === 'response') {
    if (isSuccess(result.statusCode)) return { kind: 'delivered' };
    if (result.statusCode === 410) return { kind: 'gone' };
  }
  if (context.attempt >= context.maxAttempts) return { kind: 'out_of_attempts' };
  const waitMs = Math.max(nextDelayMs(context), retryAfterMs(result, context.now));
  return { kind: 'retry', nextAttemptAt: new Date(context.now.getTime() + waitMs) };
}

/** Statuses of an overloaded receiver or its proxy. */
export const slowDownStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Their Retry-After counts for this delivery only: its body was too large, or came too early. */
const laterStatuses: ReadonlySet<number> = new Set([413, 425]);

/** At most 24 h; 0 without a Retry-After. */
export function retryAfterMs(result: SendResult, now: Date): number {
  if (result.kind !== 'response') return 0;
  if (!slowDownStatuses.has(result.statusCode) && !laterStatuses.has(result.statusCode)) return 0;
  return parseRetryAfter(result.headers['retry-after'], now) ?? 0;
}

/**
 * True if connection or DNS failed, or the connection was reset before a byte of a response, which a closing keep-alive
 * connection often is. The receiver may have read the request then.
 */
export function deservesImmediateRetry(result: SendResult): boolean {
  if (result.kind === 'response' || result.hasResponseBegun === true) return false;
  return ['connect_refused', 'dns', 'reset'].includes(result.errorClass);
}

/** `error` is `http_<status>` or an ErrorClass; `message` contains no secrets. */
type Failure = { readonly error: string; readonly message: string };

export function failureOf(result: SendResult): Failure | undefined {
  if (result.kind === 'error') return { error: result.errorClass, message: redactText(result.message) };
  if (isSuccess(result.statusCode)) return undefined;
  return { error: `http_${result.statusCode}`, message: messageOf(result.statusCode) };
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** Without 304, which names no other URL. */
const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308]);

function messageOf(statusCode: number): string {
  if (statusCode === 410) return 'The endpoint returned 410 Gone: it accepts no more deliveries.';
  if (redirects.has(statusCode)) return `The endpoint returned ${statusCode}; redirects are not followed.`;
  return `The endpoint returned ${statusCode} instead of a 2xx status.`;
}

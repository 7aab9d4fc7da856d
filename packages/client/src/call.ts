import { FinhookError } from './finhook-error.ts';

/** A failed attempt that is repeated after `delayMs`. */
export interface Retry {
  /** Path of the operation, for example `companies.create`. */
  readonly operation: string;
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: FinhookError;
}

interface RetryPolicy {
  readonly operation: string;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly wait: Wait;
}

/** Resolves after the delay, or when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** A longer wait is up to the application, which gets `retryAfterMs`. */
const MAX_WAIT_MS = 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** `Retry-After` plus exponential backoff with full jitter, in ms; undefined if there is no retry. */
export function retryDelayMs(
  { retryable, retryAfterMs }: Pick<FinhookError, 'retryable' | 'retryAfterMs'>,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (!retryable || (retryAfterMs ?? 0) > MAX_WAIT_MS) return undefined;
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(retryAfterMs === undefined ? delay * (0.5 + random() / 2) : retryAfterMs + (delay * random()) / 2);
}

export async function withRetries<T>(policy: RetryPolicy, send: () => Promise<T>): Promise<T> {
  const { operation, maxRetries, signal, onRetry, wait } = policy;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof FinhookError) || attempt > maxRetries) throw error;
      const delayMs = retryDelayMs(error, attempt);
      if (delayMs === undefined) throw error;
      onRetry?.({ operation, attempt, delayMs, error });
      await wait(delayMs, signal);
    }
  }
}

interface Deadline {
  readonly operation: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Rejects at the timeout even if the request goes on, because other calls share it. */
export async function withTimeout<T>(
  { operation, timeoutMs, signal }: Deadline,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const abort = (): void => attempt.abort(signal?.reason);
  const timer = setTimeout(() => {
    const message = `${operation}: no complete response within the timeout of ${timeoutMs / 1000} s`;
    attempt.abort(new FinhookError(message, { retryable: true }));
  }, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await untilAborted(attempt.signal, send(attempt.signal));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Rejects with the signal's reason if it is aborted first. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's, as with `fetch`
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export const sleep: Wait = (ms, signal) =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake, { once: true });
  });

import { setTimeout as delay } from 'node:timers/promises';

/** Settles like `promise`, or resolves to undefined after `ms`. */
export async function settleWithin<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController();
  try {
    return await Promise.race([promise, delay(ms, undefined, { signal: settled.signal }).catch(() => undefined)]);
  } finally {
    settled.abort();
  }
}

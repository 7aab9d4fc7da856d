import type { Clock } from '../time/clock.ts';
import { createMicroBatch } from '../verbs/batching.ts';

export type IsThrottled = (ip: string) => Promise<boolean>;

export interface LookupOptions {
  /** Default: no address is throttled. */
  isThrottled?: IsThrottled;
  /** Time to cache a result, in ms. Default: 500. */
  keptMs?: number | undefined;
}

export const neverThrottled: IsThrottled = async () => false;

export type HashLookup<Row> = (hashes: readonly Buffer[], ip: string) => Promise<Row | undefined>;

/**
 * Finds credentials by hash. Throttled addresses are still served, because clients share addresses, but their look-ups
 * are batched to ten a second, so that a flood costs one connection.
 */
export function createHashLookup<Row extends { hash: Buffer }>(
  read: (hashes: readonly Buffer[]) => Promise<readonly Row[]>,
  isThrottled: IsThrottled,
): HashLookup<Row> {
  const find = async (wanted: readonly (readonly Buffer[])[]): Promise<(Row | undefined)[]> => {
    const rows = new Map((await read(wanted.flat())).map((row) => [row.hash.toString('base64'), row]));
    const rowOf = (hash: Buffer) => rows.get(hash.toString('base64'));
    return wanted.map((hashes) => hashes.map(rowOf).find((row) => row !== undefined));
  };
  const batchFind = createMicroBatch({ run: find, maxWeight: 1_000, inFlight: 1, gatherMs: 100 });
  return async (hashes, ip) => {
    if (await isThrottled(ip)) return batchFind(hashes);
    const [row] = await find([hashes]);
    return row;
  };
}

/** Revocations take effect in every process within a second. */
const KEPT_MS = 500;
const MAX_ENTRIES = 10_000;

/** Caches reads, including those that found nothing. Concurrent callers share a read. */
export type TtlCache<T> = (key: string, read: () => Promise<T | undefined>) => Promise<T | undefined>;

/** `keeps` selects the values to cache or share. Default: all. */
export function createTtlCache<T>(
  clock: Clock,
  keeps: (value: T) => boolean = () => true,
  keptMs = KEPT_MS,
): TtlCache<T> {
  const entries = new Map<string, { value: Promise<T | undefined>; until: number }>();

  function begin(key: string, now: number, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const entry = { value: read(), until: now + keptMs };
    const forget = (): void => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    if (entries.size >= MAX_ENTRIES) entries.clear();
    entries.set(key, entry);
    entry.value.then((value) => value !== undefined && !keeps(value) && forget(), forget);
    return entry.value;
  }

  return async (key, read) => {
    const now = clock.now().getTime();
    const entry = entries.get(key);
    // Includes reads in progress: a burst of requests with one key is one look-up.
    if (entry === undefined || entry.until <= now) return begin(key, now, read);
    const value = await entry.value;
    return value === undefined || keeps(value) ? value : read();
  };
}

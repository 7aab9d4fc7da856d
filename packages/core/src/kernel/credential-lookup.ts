import { createMicroBatch } from './batching.ts';
import type { Clock } from './clock.ts';

/** Whether an address had too many failed authentications lately. */
export type IsThrottled = (ip: string) => Promise<boolean>;

export const neverThrottled: IsThrottled = async () => false;

/** Finds the row of a credential by its hashes, one for each pepper. */
export type HashLookup<Row> = (hashes: readonly Buffer[], ip: string) => Promise<Row | undefined>;

/**
 * Looks credentials up. One from a throttled address may be right all the same, because another client behind that address
 * failed; so all of these are looked up together, ten times a second at most, and a flood costs one connection.
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
  const together = createMicroBatch({ run: find, maxWeight: 1_000, inFlight: 1, gatherMs: 100 });
  return async (hashes, ip) => {
    if (await isThrottled(ip)) return together(hashes);
    const [row] = await find([hashes]);
    return row;
  };
}

/** How long a look-up is remembered: a revocation works everywhere within a second. */
const KEPT_MS = 500;
const MAX_ENTRIES = 10_000;

/** Answers from memory what was read a moment ago, that there is nothing too. */
export type TtlCache<T> = (key: string, read: () => Promise<T | undefined>) => Promise<T | undefined>;

/** `keeps` says what may be remembered: everything, unless told otherwise. */
export function createTtlCache<T>(clock: Clock, keeps: (value: T) => boolean = () => true): TtlCache<T> {
  const entries = new Map<string, { value: T | undefined; until: number }>();
  return async (key, read) => {
    const now = clock.now().getTime();
    const entry = entries.get(key);
    if (entry && entry.until > now) return entry.value;
    const value = await read();
    if (value !== undefined && !keeps(value)) return value;
    if (entries.size >= MAX_ENTRIES) entries.clear();
    entries.set(key, { value, until: now + KEPT_MS });
    return value;
  };
}

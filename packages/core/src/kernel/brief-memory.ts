import type { Clock } from './clock.ts';

/** How long a look-up is remembered: a revocation works everywhere within a second. */
const KEPT_MS = 500;
const MAX_ENTRIES = 10_000;

/** Answers from memory what was read a moment ago, that there is nothing too. */
export type BriefMemory<T> = (key: string, read: () => Promise<T | undefined>) => Promise<T | undefined>;

/** `keeps` says what may be remembered: everything, unless told otherwise. */
export function createBriefMemory<T>(clock: Clock, keeps: (value: T) => boolean = () => true): BriefMemory<T> {
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

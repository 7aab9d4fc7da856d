import { isDeepStrictEqual } from 'node:util';

/** What an update changed, as `*.updated` events and audit rows tell it. */
export interface Changes {
  changed: string[];
  /** The old value of each changed field. */
  previous: Record<string, unknown>;
}

/** Compares two records field by field, by their JSON; fields named in `ignore` (default `updated_at`) do not count. */
export function changesBetween(before: object, after: object, ignore: readonly string[] = ['updated_at']): Changes {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after)
    .filter(([field, value]) => !ignore.includes(field) && JSON.stringify(value) !== JSON.stringify(old.get(field)))
    .map(([field]) => field);
  return { changed, previous: Object.fromEntries(changed.map((field) => [field, old.get(field)])) };
}

/** Whether JSON that was sent is what is `stored`: the database keeps its own order of keys, and -0 is 0 there. */
export function isSameJson(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(sent)), stored);
}

/** What a field is to hold when `next` is sent for it: `stored` where both hold the same JSON, because that is no change. */
export function keepSame<T>(stored: T, next: T): T {
  return isSameJson(next, stored) ? stored : next;
}

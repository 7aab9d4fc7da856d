import { isDeepStrictEqual } from 'node:util';

export interface Changes {
  changed: string[];
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

/** Compares JSON as PostgreSQL stores it: it orders keys itself, and turns -0 into 0. */
export function isSameJson(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(sent)), stored);
}

/** Returns `stored` when `next` is the same JSON, so that it does not count as a change. */
export function keepSame<T>(stored: T, next: T): T {
  return isSameJson(next, stored) ? stored : next;
}

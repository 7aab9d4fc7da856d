import { hashKey } from '@tanstack/react-query';

/**
 * The fields of `after` that are not as in `before`, in which an object is the same in any order of its keys. A change
 * names nothing else: what somebody else changed meanwhile is not put back.
 */
export function dirtyFields<Fields extends object>(before: object, after: Fields): Partial<Fields> {
  const stored = new Map<string, unknown>(Object.entries(before));
  return partOf<Fields>(
    Object.entries(after).filter(([name, value]) => hashKey([stored.get(name)]) !== hashKey([value])),
  );
}

// Some of the fields' own entries.
function partOf<Fields>(entries: ReadonlyArray<[string, unknown]>): Partial<Fields> {
  return Object.fromEntries(entries) as Partial<Fields>;
}

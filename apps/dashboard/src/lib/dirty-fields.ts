import { hashKey } from '@tanstack/react-query';

/**
 * Returns the fields of `after` that differ from `before`, ignoring the key order of objects. An update sends only
 * these, so that it does not revert concurrent changes by others.
 */
export function dirtyFields<Fields extends object>(before: object, after: Fields): Partial<Fields> {
  const stored = new Map<string, unknown>(Object.entries(before));
  return partOf<Fields>(
    Object.entries(after).filter(([name, value]) => hashKey([stored.get(name)]) !== hashKey([value])),
  );
}

function partOf<Fields>(entries: ReadonlyArray<[string, unknown]>): Partial<Fields> {
  return Object.fromEntries(entries) as Partial<Fields>;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an RFC 6901 pointer names in a JSON document; undefined where nothing is. */
export function atPointer(document: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((value, part) => {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined;
  }, document);
}

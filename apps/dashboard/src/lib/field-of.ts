/** Reads a field of an unknown value; undefined if the value is not an object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

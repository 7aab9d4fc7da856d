type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** A record with only the fields that the tested function reads. */
export function partial<T>(fields: DeepPartial<T>): T {
  return fields as T;
}

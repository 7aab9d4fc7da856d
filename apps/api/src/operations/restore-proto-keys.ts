import { z } from 'zod';
import { unwrapSchema } from './unknown-fields.ts';

const NAME = '__proto__';

function ownProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, NAME)?.value;
}

/** Puts back what parsing left out; returns the faults of what it put back. */
export type RestoreProtoKeys = (raw: Record<string, unknown>, parsed: unknown) => z.core.$ZodIssue[];

/**
 * zod drops the key `__proto__` of an open record. JSON gives it no meaning, so it is data like any other key: it is
 * checked as its record's values are and defined on the parsed record as a plain property.
 */
export function compileRestoreProtoKeys(schema: z.ZodType): RestoreProtoKeys {
  const records = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const values = records.flatMap(([field, inner]): [string, z.core.$ZodType][] => {
    const record = unwrapSchema(inner);
    return record instanceof z.ZodRecord ? [[field, record.valueType]] : [];
  });
  return (raw, parsed) => {
    const faults: z.core.$ZodIssue[] = [];
    for (const [field, type] of values) {
      const sent = ownProto(raw[field]);
      if (sent === undefined) continue;
      const result = z.core.safeParse(type, sent);
      if (!result.success)
        faults.push(...result.error.issues.map((issue) => ({ ...issue, path: [field, NAME, ...issue.path] })));
      const target: unknown = Reflect.get(Object(parsed), field);
      if (result.success && typeof target === 'object' && target !== null) {
        Object.defineProperty(target, NAME, {
          value: result.data,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
    return faults;
  };
}

import { isRecord, keyLimit } from '@finhook/contracts';
import { z } from 'zod';
import { unwrapSchema } from './fast-validate.ts';

interface OpenRecord {
  field: string;
  value: z.core.$ZodType;
  max: number | undefined;
}

const PROTO = '__proto__';

/** A unit test asserts that all open records are at the first level. */
export function openRecordsOf(schema: z.ZodType): OpenRecord[] {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.entries(shape).flatMap(([field, given]) => {
    const record = unwrapSchema(given);
    return record instanceof z.ZodRecord ? [{ field, value: record.valueType, max: keyLimit(record) }] : [];
  });
}

/**
 * Truncates records with too many keys to a size that the schema rejects. zod counts keys only after parsing them, which
 * would block the process for a second.
 */
export function cutRecords(records: readonly OpenRecord[], raw: Record<string, unknown>): Record<string, unknown> {
  const cut = records.flatMap(({ field, max = Number.POSITIVE_INFINITY }): [string, unknown][] => {
    const value = raw[field];
    const entries = isRecord(value) ? Object.entries(value) : [];
    // One more than the maximum, and one for `__proto__`, which zod does not count.
    const kept = max + 2;
    return entries.length > kept ? [[field, Object.fromEntries(entries.slice(0, kept))]] : [];
  });
  return cut.length === 0 ? raw : { ...raw, ...Object.fromEntries(cut) };
}

/**
 * zod drops the key `__proto__` of an open record, which is data like any other key: validates its value and defines it as
 * a plain property. Returns the issues.
 */
export function restoreProtoKeys(
  records: readonly OpenRecord[],
  raw: Record<string, unknown>,
  parsed: unknown,
): z.core.$ZodIssue[] {
  return records.flatMap(({ field, value }) => {
    const sent = ownProto(raw[field]);
    if (sent === undefined) return [];
    const result = z.core.safeParse(value, sent);
    if (!result.success) return result.error.issues.map((issue) => ({ ...issue, path: [field, PROTO, ...issue.path] }));
    const target: unknown = Reflect.get(Object(parsed), field);
    if (typeof target === 'object' && target !== null) {
      const property = { value: result.data, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(target, PROTO, property);
    }
    return [];
  });
}

function ownProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, PROTO)?.value;
}

import { keyLimit } from '@finhook/contracts';
import { z } from 'zod';
import { isRecord } from '../http/read-body.ts';
import { unwrapSchema } from './fast-validate.ts';

interface OpenRecord {
  field: string;
  value: z.core.$ZodType;
  max: number | undefined;
}

const PROTO = '__proto__';

/** The open records of an input. A unit test asserts that all are at its first level. */
export function openRecordsOf(schema: z.ZodType): OpenRecord[] {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.entries(shape).flatMap(([field, given]) => {
    const record = unwrapSchema(given);
    return record instanceof z.ZodRecord ? [{ field, value: record.valueType, max: keyLimit(record) }] : [];
  });
}

/**
 * Truncates records with too many keys to as many as make the schema reject them. zod counts the keys of a record only
 * after parsing them, with an issue for each invalid one: a body full of them would block the process for a second.
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
 * zod drops the key `__proto__` of an open record. JSON gives it no meaning, so it is data like any other key: its
 * value is validated as the record's values are and defined on the parsed record as a plain property. Returns the
 * issues found.
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

import { keyLimit } from '@finhook/contracts';
import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { unwrapSchema } from './unknown-fields.ts';

/** Leaves out what the open records of an input have no room for, but for as much as has the schema refuse them. */
export type CutRecords = (raw: Record<string, unknown>) => Record<string, unknown>;

/**
 * zod counts the items of a list before it parses them, but the keys of a record only afterwards, with a fault for each bad
 * one: a body full of them would stop the process for a second.
 */
export function compileCutRecords(schema: z.ZodType): CutRecords {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const records = fields.flatMap(([field, inner]): [string, number][] => {
    const record = unwrapSchema(inner);
    const max = record instanceof z.ZodRecord ? keyLimit(record) : undefined;
    // One more than it may have, and one for `__proto__`, which zod does not count.
    return max === undefined ? [] : [[field, max + 2]];
  });
  return (raw) => {
    const cut = records.flatMap(([field, kept]): [string, unknown][] => {
      const value = raw[field];
      const entries = isRecord(value) ? Object.entries(value) : [];
      return entries.length > kept ? [[field, Object.fromEntries(entries.slice(0, kept))]] : [];
    });
    return cut.length === 0 ? raw : { ...raw, ...Object.fromEntries(cut) };
  };
}

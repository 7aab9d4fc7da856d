import type { FieldError, RowsLimit } from '@finhook/contracts';
import { DomainError, pathOf, pointerOf, type RowReport } from '@finhook/core';
import { z } from 'zod';

/** A batch that is null is absent. */
export function withoutNull(raw: Record<string, unknown>, field: string): Record<string, unknown> {
  if (raw[field] !== null) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => name !== field));
}

/** Throws `batch_too_large`. */
export function checkBatchSize(rows: RowsLimit, raw: Record<string, unknown>): void {
  const batch = raw[rows.field];
  if (!Array.isArray(batch) || batch.length <= rows.max) return;
  throw new DomainError('batch_too_large', {
    detail: `A request may have at most ${rows.max} rows; this one has ${batch.length}. Nothing was stored; split it.`,
    extra: { limit: rows.max, received: batch.length },
  });
}

/** The error of an input that is both a row and a batch, or a batch without rows. */
export function findFormError(rows: RowsLimit, raw: Record<string, unknown>): FieldError | undefined {
  return ambiguity(rows, raw) ?? emptiness(rows, raw);
}

function ambiguity(rows: RowsLimit, raw: Record<string, unknown>): FieldError | undefined {
  if (!(rows.field in raw)) return undefined;
  const stray = Object.keys(raw).find((key) => Object.hasOwn(rows.row.shape, key));
  if (stray === undefined) return undefined;
  return {
    pointer: pointerOf([stray]),
    code: 'ambiguous_body',
    message: `is sent together with ${rows.field}: send either one row or an object with ${rows.field}`,
  };
}

function emptiness(rows: RowsLimit, raw: Record<string, unknown>): FieldError | undefined {
  const batch = raw[rows.field];
  if (!Array.isArray(batch) || batch.length > 0) return undefined;
  return { pointer: pointerOf([rows.field]), code: 'empty_batch', message: 'must have at least one row; got []' };
}

/** Parses the valid rows. A single row is treated as a batch of one. */
export function separateRows(
  schema: z.ZodType,
  rows: RowsLimit,
  raw: Record<string, unknown>,
  errors: readonly FieldError[],
): { input: unknown; rows: RowReport } {
  const isBatch = rows.field in raw;
  const indexOf = (error: FieldError): number => rowOf(rows, raw, error);
  const bad = new Set(errors.map(indexOf));
  const sent = isBatch ? raw[rows.field] : [raw];
  const batch: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const indexes = batch.map((_, i) => i).filter((i) => !bad.has(i));
  const kept = indexes.map((i) => batch[i]);
  // The schema would reject an empty list.
  const outside = parseWithout(schema, isBatch ? [rows.field] : Object.keys(rows.row.shape), raw);
  const row = rowSchemaOf(schema, rows);
  const input = { ...outside, [rows.field]: kept.map((one) => row.parse(one)) };
  return { input, rows: { indexes, rejected: errors.map((error) => ({ index: indexOf(error), ...error })) } };
}

function rowSchemaOf(schema: z.ZodType, { field, row }: RowsLimit): z.ZodType {
  const list: unknown = schema instanceof z.ZodObject ? schema.shape[field] : undefined;
  return list instanceof z.ZodArray && list.element instanceof z.ZodObject ? list.element : row;
}

/** The index of the row with an error; -1 if it belongs to none. */
export function rowOf({ field, row }: RowsLimit, raw: Record<string, unknown>, { pointer }: FieldError): number {
  const [name = '', index = '-1'] = pathOf(pointer);
  if (field in raw) return name === field ? Number(index) : -1;
  return Object.hasOwn(row.shape, name) ? 0 : -1;
}

function parseWithout(
  schema: z.ZodType,
  fields: readonly string[],
  raw: Record<string, unknown>,
): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return {};
  const shape = Object.entries(schema.shape).filter(([name]) => !fields.includes(name));
  return z.object(Object.fromEntries(shape)).parse(raw);
}

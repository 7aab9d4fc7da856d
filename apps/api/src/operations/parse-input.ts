import type { FieldError, Operation, RowsLimit, Warning } from '@finhook/contracts';
import { describeFaults, DomainError, type RowReport } from '@finhook/core';
import { z } from 'zod';
import { pointerOf, toFieldErrors } from './field-errors.ts';
import { compileUnknownFields } from './unknown-fields.ts';

export interface ParsedInput {
  input: unknown;
  warnings: Warning[];
  rows?: RowReport;
}

/** Validates the raw input of one operation. `inexact` are number literals that parsing had to round. */
export type InputParser = (raw: unknown, inexact: readonly FieldError[]) => ParsedInput;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(fields: FieldError[]): DomainError {
  return new DomainError('validation_failed', { detail: describeFaults(fields), fields });
}

/** Throws unless the batch is within its limit; checked before any row is looked at. */
function checkBatchSize(rows: RowsLimit, raw: Record<string, unknown>): void {
  const batch = raw[rows.field];
  if (!Array.isArray(batch) || batch.length <= rows.max) return;
  throw new DomainError('batch_too_large', {
    detail: `A request may carry ${rows.max} rows; this one has ${batch.length}. Nothing was stored; split it.`,
    extra: { limit: rows.max, received: batch.length },
  });
}

/** The fault of a body that is a batch and a single row at once. */
function ambiguity(rows: RowsLimit, raw: Record<string, unknown>): FieldError | undefined {
  if (!(rows.field in raw)) return undefined;
  const stray = Object.keys(raw).find((key) => key in rows.row.shape);
  if (stray === undefined) return undefined;
  return {
    pointer: pointerOf([stray]),
    code: 'ambiguous_body',
    message: `stands beside ${rows.field}: send either one row or an object with ${rows.field}`,
  };
}

/** Builds the parser of an operation once; it allocates nothing for faults while there are none. */
export function createInputParser(operation: Operation): InputParser {
  const { rows } = operation;
  const unknownFieldsOf = new Map<z.ZodType, (input: unknown) => Warning[]>();
  function findUnknown(schema: z.ZodType, input: unknown): Warning[] {
    let find = unknownFieldsOf.get(schema);
    if (!find) unknownFieldsOf.set(schema, (find = compileUnknownFields(schema)));
    return find(input);
  }
  return (raw, inexact) => {
    if (!isRecord(raw)) throw invalid([notAnObject(raw, rows)]);
    if (rows) checkBatchSize(rows, raw);
    const schema = operation.variant?.(raw) ?? operation.input;
    const mixed = rows && ambiguity(rows, raw);
    if (mixed) throw invalid([mixed]);
    const result = schema.safeParse(raw);
    const warnings = findUnknown(schema, raw);
    if (result.success && inexact.length === 0) return { input: result.data, warnings };
    const issues = result.success ? [] : toFieldErrors(result.error.issues, raw);
    const faults = [...inexact, ...issues.filter(({ pointer }) => !inexact.some((fault) => fault.pointer === pointer))];
    if (!rows || !(rows.field in raw)) throw invalid(faults);
    return { ...separateRows(schema, rows, raw, faults), warnings };
  };
}

function notAnObject(raw: unknown, rows: RowsLimit | undefined): FieldError {
  const hint = Array.isArray(raw) && rows ? `; wrap the list: {"${rows.field}": […]}` : '';
  return { pointer: '', code: 'invalid_type', message: `must be a JSON object${hint}` };
}

/** Sets faulty rows aside and parses the rest; faults outside of the rows refuse the request. */
function separateRows(
  schema: z.ZodType,
  rows: RowsLimit,
  raw: Record<string, unknown>,
  faults: readonly FieldError[],
): { input: unknown; rows: RowReport } {
  const place = new RegExp(`^/${rows.field}/(\\d+)(?:/|$)`);
  const rowOf = (fault: FieldError): number => Number(place.exec(fault.pointer)?.[1] ?? -1);
  if (faults.some((fault) => rowOf(fault) === -1)) throw invalid([...faults]);
  const bad = new Set(faults.map(rowOf));
  const batch = raw[rows.field];
  const indexes = (Array.isArray(batch) ? batch : []).map((_, i) => i).filter((i) => !bad.has(i));
  const kept = indexes.map((i) => (Array.isArray(batch) ? batch[i] : undefined));
  // An all-bad batch is not the empty batch that the schema refuses: the verb reports its rows.
  const input = { ...parseWithout(schema, rows, raw), [rows.field]: kept.map((row) => rows.row.parse(row)) };
  return { input, rows: { indexes, rejected: faults.map((fault) => ({ index: rowOf(fault), ...fault })) } };
}

/** The input without its rows. */
function parseWithout(schema: z.ZodType, rows: RowsLimit, raw: Record<string, unknown>): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return {};
  const shape = Object.entries(schema.shape).filter(([name]) => name !== rows.field);
  return z.object(Object.fromEntries(shape)).parse(raw);
}

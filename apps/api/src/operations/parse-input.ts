import {
  type FieldError,
  filterSizeFault,
  idParameter,
  type Operation,
  pathParameters,
  payloadFilter,
  type RowsLimit,
  type Warning,
} from '@finhook/contracts';
import {
  DomainError,
  describeFieldErrors,
  MAX_FIELD_ERRORS,
  pathOf,
  pointerOf,
  type RowReport,
  toFieldErrors,
  withoutSecret,
} from '@finhook/core';
import { z } from 'zod';
import { isRecord } from '../http/read-body.ts';
import { compileSchema, findUnknownFields, isSecretAt, nodeAt, type SchemaNode } from './input-schema.ts';
import { cutRecords, openRecordsOf, restoreProtoKeys } from './open-records.ts';

export interface ParsedInput {
  input: unknown;
  warnings: Warning[];
  rows?: RowReport;
}

/** Validates the raw input of one operation. `inexact` are number literals that parsing had to round. */
export type InputParser = (raw: unknown, inexact: readonly FieldError[]) => ParsedInput;

function invalid(fields: FieldError[]): DomainError {
  return new DomainError('validation_failed', { detail: describeFieldErrors(fields), fields });
}

/** Throws unless the batch is within its limit; checked before any row is looked at. */
function checkBatchSize(rows: RowsLimit, raw: Record<string, unknown>): void {
  const batch = raw[rows.field];
  if (!Array.isArray(batch) || batch.length <= rows.max) return;
  throw new DomainError('batch_too_large', {
    detail: `A request may have at most ${rows.max} rows; this one has ${batch.length}. Nothing was stored; split it.`,
    extra: { limit: rows.max, received: batch.length },
  });
}

/** The fault of a body that is a batch and a single row at once. */
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

/** The fault of a batch without a row. */
function emptiness(rows: RowsLimit, raw: Record<string, unknown>): FieldError | undefined {
  const batch = raw[rows.field];
  if (!Array.isArray(batch) || batch.length > 0) return undefined;
  return { pointer: pointerOf([rows.field]), code: 'empty_batch', message: 'must have at least one row; got []' };
}

/** The fault of a payload filter that is larger than any; checked before any of its parts is looked at. */
function filterFault(filters: readonly string[], raw: Record<string, unknown>): FieldError | undefined {
  for (const field of filters) {
    const message = filterSizeFault(raw[field]);
    if (message !== undefined) return { pointer: pointerOf([field]), code: 'too_many', message };
  }
  return undefined;
}

/** What the parser keeps of a schema. */
function compile(schema: z.ZodType) {
  const root = compileSchema(schema);
  const fields = [...(root.fields ?? [])];
  return {
    root,
    records: openRecordsOf(root),
    filters: fields.flatMap(([name, field]) => (field.schema === payloadFilter ? [name] : [])),
    isSecret: (path: readonly PropertyKey[]) => isSecretAt(root, path),
  };
}

/** Builds the parser of an operation once. What its schema would return as it is, is taken as it is. */
export function createInputParser(operation: Operation): InputParser {
  const { rows } = operation;
  const compiled = new Map<z.ZodType, ReturnType<typeof compile>>();
  function compileOnce(schema: z.ZodType): ReturnType<typeof compile> {
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    return known;
  }
  const readIds = createIdReader(operation);
  // Of rows each fault counts, because it sets its row aside.
  const enough = rows ? Number.POSITIVE_INFINITY : MAX_FIELD_ERRORS + 1;
  return (sent, rounded) => {
    if (!isRecord(sent)) throw invalid([notAnObject(sent, rows)]);
    const raw = readIds(rows ? withoutNull(sent, rows.field) : sent);
    if (rows) checkBatchSize(rows, raw);
    const schema = operation.variant?.(raw) ?? operation.input;
    const { root, records, filters, isSecret } = compileOnce(schema);
    const unusable = (rows && (ambiguity(rows, raw) ?? emptiness(rows, raw))) ?? filterFault(filters, raw);
    if (unusable) throw invalid([unusable]);
    if (rounded.length === 0 && root.isExact(raw)) return { input: raw, warnings: [] };
    const result = schema.safeParse(cutRecords(records, raw));
    const found = result.success ? restoreProtoKeys(records, raw, result.data) : result.error.issues;
    const inexact = keptNumbers(rounded, root, found, enough).map((fault) => withoutSecret(fault, isSecret));
    const warnings = findUnknownFields(root, raw);
    if (result.success && found.length === 0 && inexact.length === 0) return { input: result.data, warnings };
    const refused = firstOfEachPlace(found, new Set(inexact.map(({ pointer }) => pointer)), enough);
    const faults = [...inexact, ...toFieldErrors(refused, raw, isSecret)];
    if (!rows || faults.some((fault) => rowOf(rows, raw, fault) === -1))
      throw withUnknownFields(invalid(faults), warnings);
    return { ...separateRows(schema, rows, raw, faults), warnings };
  };
}

/** The rejection with the unknown fields in `warnings`: a misspelled field is often why another one is missing. */
export function withUnknownFields(error: unknown, warnings: readonly Warning[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed' || warnings.length === 0) return error;
  const { message: detail, fields, extra } = error;
  return new DomainError(error.code, { detail, fields, extra: { ...extra, warnings } });
}

/**
 * The first rounded numbers of those that would be stored: in any other field they are nobody's loss. A fraction in free
 * JSON is read as everybody reads it, and where an integer must stand the schema says it better if it sees it.
 */
function keptNumbers(
  rounded: readonly FieldError[],
  root: SchemaNode,
  found: readonly z.core.$ZodIssue[],
  enough: number,
): FieldError[] {
  const kept: FieldError[] = [];
  const refused = new Set(rounded.length === 0 ? [] : found.map(({ path }) => pointerOf(path)));
  for (const fault of rounded) {
    if (kept.length >= enough) break;
    const schema = nodeAt(root, pathOf(fault.pointer))?.schema;
    const isFree = schema instanceof z.ZodUnknown;
    if (schema === undefined || (fault.code === 'not_an_integer' && (isFree || refused.has(fault.pointer)))) continue;
    kept.push(schema instanceof z.ZodNumber && schema.isInt ? fault : { ...fault, code: 'out_of_range' });
  }
  return kept;
}

/** The first fault of each place of which none is told yet: the others there follow from it. */
function firstOfEachPlace(issues: readonly z.core.$ZodIssue[], told: Set<string>, enough: number): z.core.$ZodIssue[] {
  const first: z.core.$ZodIssue[] = [];
  for (const issue of issues) {
    if (first.length >= enough) break;
    const pointer = pointerOf(issue.path);
    if (!told.has(pointer)) first.push(issue);
    told.add(pointer);
  }
  return first;
}

/** `null` for the list of rows is the same as no list. */
function withoutNull(raw: Record<string, unknown>, field: string): Record<string, unknown> {
  if (raw[field] !== null) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => name !== field));
}

/**
 * Asks for an id that no record can have (too long, or text that PostgreSQL cannot hold) as the empty id, so that its
 * verb gives the same 404 as for any unknown one.
 */
function createIdReader({ http }: Operation): (raw: Record<string, unknown>) => Record<string, unknown> {
  const routes = [http, ...(http.aliases ?? [])];
  const names = [...new Set(routes.flatMap(({ path }) => pathParameters(path)))];
  const isImpossible = (value: unknown): boolean => typeof value === 'string' && !idParameter.safeParse(value).success;
  return (raw) => {
    const impossible = names.filter((name) => isImpossible(raw[name]));
    return impossible.length === 0 ? raw : { ...raw, ...Object.fromEntries(impossible.map((name) => [name, ''])) };
  };
}

function notAnObject(raw: unknown, rows: RowsLimit | undefined): FieldError {
  const hint = Array.isArray(raw) && rows ? `; wrap the list: {"${rows.field}": […]}` : '';
  return { pointer: '', code: 'invalid_type', message: `must be a JSON object${hint}` };
}

/**
 * Sets faulty rows aside and parses the rest. A single row that is faulty is a batch of one, so that its verb decides
 * about it as about any other.
 */
function separateRows(
  schema: z.ZodType,
  rows: RowsLimit,
  raw: Record<string, unknown>,
  faults: readonly FieldError[],
): { input: unknown; rows: RowReport } {
  const isBatch = rows.field in raw;
  const indexOf = (fault: FieldError): number => rowOf(rows, raw, fault);
  const bad = new Set(faults.map(indexOf));
  const sent = isBatch ? raw[rows.field] : [raw];
  const batch: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const indexes = batch.map((_, i) => i).filter((i) => !bad.has(i));
  const kept = indexes.map((i) => batch[i]);
  // An all-bad batch is not the empty batch that the schema refuses: the verb reports its rows.
  const outside = parseWithout(schema, isBatch ? [rows.field] : Object.keys(rows.row.shape), raw);
  const input = { ...outside, [rows.field]: kept.map((row) => rows.row.parse(row)) };
  return { input, rows: { indexes, rejected: faults.map((fault) => ({ index: indexOf(fault), ...fault })) } };
}

/** The index of the row that a fault belongs to; -1 for none. */
function rowOf({ field, row }: RowsLimit, raw: Record<string, unknown>, { pointer }: FieldError): number {
  const [name = '', index = '-1'] = pathOf(pointer);
  if (field in raw) return name === field ? Number(index) : -1;
  return Object.hasOwn(row.shape, name) ? 0 : -1;
}

/** The input without these fields. */
function parseWithout(
  schema: z.ZodType,
  fields: readonly string[],
  raw: Record<string, unknown>,
): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return {};
  const shape = Object.entries(schema.shape).filter(([name]) => !fields.includes(name));
  return z.object(Object.fromEntries(shape)).parse(raw);
}

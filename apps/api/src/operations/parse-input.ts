import {
  type Field,
  type FieldError,
  fieldOf,
  filterSizeError,
  idParameter,
  isRecord,
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
import type { z } from 'zod';
import { checkBatchSize, findFormError, rowOf, separateRows, withoutNull } from './batch-rows.ts';
import { compileIsExact } from './fast-validate.ts';
import { fieldAt, findUnknownFields, isSecretAt } from './input-schema.ts';
import { cutRecords, openRecordsOf, restoreProtoKeys } from './open-records.ts';

export interface ParsedInput {
  input: unknown;
  warnings: Warning[];
  rows?: RowReport;
}

/** `inexact` are number literals that parsing rounded. */
export type InputParser = (raw: unknown, inexact: readonly FieldError[]) => ParsedInput;

function invalid(fields: FieldError[]): DomainError {
  return new DomainError('validation_failed', { detail: describeFieldErrors(fields), fields });
}

function filterError(filters: readonly string[], raw: Record<string, unknown>): FieldError | undefined {
  for (const field of filters) {
    const message = filterSizeError(raw[field]);
    if (message !== undefined) return { pointer: pointerOf([field]), code: 'too_many', message };
  }
  return undefined;
}

function compile(schema: z.ZodType) {
  const root = fieldOf(schema, 'input');
  const { component: filter } = fieldOf(payloadFilter, 'input');
  const filters = (root.fields ?? []).filter(({ component }) => component && component.name === filter?.name);
  return {
    root,
    isExact: compileIsExact(schema),
    records: openRecordsOf(schema),
    filters: filters.map(({ name }) => name),
    isSecret: (path: readonly PropertyKey[]) => isSecretAt(root, path),
  };
}

/** Inputs that parsing would not change skip zod. */
export function createInputParser(operation: Operation): InputParser {
  const { rows } = operation;
  const compiled = new Map<z.ZodType, ReturnType<typeof compile>>();
  function compileOnce(schema: z.ZodType): ReturnType<typeof compile> {
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    return known;
  }
  const readIds = createIdReader(operation);
  // A row's error excludes the row, so all are needed.
  const enough = rows ? Number.POSITIVE_INFINITY : MAX_FIELD_ERRORS + 1;
  return (sent, rounded) => {
    if (!isRecord(sent)) throw invalid([notAnObject(sent, rows)]);
    const raw = readIds(rows ? withoutNull(sent, rows.field) : sent);
    if (rows) checkBatchSize(rows, raw);
    const schema = operation.variant?.(raw) ?? operation.input;
    const { root, isExact, records, filters, isSecret } = compileOnce(schema);
    const unusable = (rows && findFormError(rows, raw)) ?? filterError(filters, raw);
    if (unusable) throw invalid([unusable]);
    if (rounded.length === 0 && isExact(raw)) return { input: raw, warnings: [] };
    const result = schema.safeParse(cutRecords(records, raw));
    const found = result.success ? restoreProtoKeys(records, raw, result.data) : result.error.issues;
    const inexact = keptNumbers(rounded, root, found, enough).map((error) => withoutSecret(error, isSecret));
    const warnings = findUnknownFields(root, raw);
    if (result.success && found.length === 0 && inexact.length === 0) return { input: result.data, warnings };
    const rejected = firstPerPointer(found, new Set(inexact.map(({ pointer }) => pointer)), enough);
    const errors = [...inexact, ...toFieldErrors(rejected, raw, isSecret)];
    if (!rows || errors.some((error) => rowOf(rows, raw, error) === -1))
      throw withUnknownFields(invalid(errors), warnings);
    return { ...separateRows(schema, rows, raw, errors), warnings };
  };
}

/** Adds unknown fields to a `validation_failed`: a misspelled field is often why another is missing. */
export function withUnknownFields(error: unknown, warnings: readonly Warning[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') return error;
  const { message: detail, fields, extra } = error;
  const ignored = warnings.filter(({ pointer }) => !fields.some((field) => field.pointer === pointer));
  return ignored.length === 0
    ? error
    : new DomainError(error.code, { detail, fields, extra: { ...extra, warnings: ignored } });
}

/** Only stored fields; free JSON may round fractions, and the schema has clearer errors for integers. */
function keptNumbers(
  rounded: readonly FieldError[],
  root: Field,
  found: readonly z.core.$ZodIssue[],
  enough: number,
): FieldError[] {
  const kept: FieldError[] = [];
  const rejected = new Set(rounded.length === 0 ? [] : found.map(({ path }) => pointerOf(path)));
  for (const error of rounded) {
    if (kept.length >= enough) break;
    const type = fieldAt(root, pathOf(error.pointer))?.type;
    const isAccepted = type === 'json' || rejected.has(error.pointer);
    if (type === undefined || (error.code === 'not_an_integer' && isAccepted)) continue;
    kept.push(type === 'integer' ? error : { ...error, code: 'out_of_range' });
  }
  return kept;
}

/** The first error per path; others follow from it. */
function firstPerPointer(issues: readonly z.core.$ZodIssue[], seen: Set<string>, enough: number): z.core.$ZodIssue[] {
  const first: z.core.$ZodIssue[] = [];
  for (const issue of issues) {
    if (first.length >= enough) break;
    const pointer = pointerOf(issue.path);
    if (!seen.has(pointer)) first.push(issue);
    seen.add(pointer);
  }
  return first;
}

/** An impossible id (too long, or not storable) becomes the empty id, so that the verb returns its usual 404. */
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

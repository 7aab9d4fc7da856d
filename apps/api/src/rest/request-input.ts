import {
  type Field,
  type FieldError,
  type HttpRoute,
  isRecord,
  type Operation,
  pathParameters,
  type Warning,
} from '@finhook/contracts';
import { DomainError, pathOf, pointerOf, rejectFields, truncate } from '@finhook/core';
import { inputFields, unknownParameter } from '../operations/input-schema.ts';
import { exportColumns } from '../operations/list-exports.ts';

interface JsonBody {
  value: unknown;
  inexact: readonly FieldError[];
}

export type ReadBodyFields = (body: JsonBody) => JsonBody & { warnings: readonly Warning[] };

/** Ignores path and query parameters in the body with a warning: a body must not override the company of the path. */
export function createBodyReader({ http }: Operation, route: HttpRoute): ReadBodyFields {
  const elsewhere = new Set([...pathParameters(route.path), ...(http.query ?? [])]);
  return ({ value, inexact }) => {
    // Ignoring `dry_run` would store the rows.
    if (isRecord(value) && elsewhere.has('dry_run') && Object.hasOwn(value, 'dry_run')) rejectFields([dryRunInBody]);
    const strays = isRecord(value) ? [...elsewhere].filter((name) => Object.hasOwn(value, name)) : [];
    if (!isRecord(value) || strays.length === 0) return { value, inexact, warnings: [] };
    return {
      value: Object.fromEntries(Object.entries(value).filter(([name]) => !elsewhere.has(name))),
      inexact: inexact.filter(({ pointer }) => !elsewhere.has(pathOf(pointer)[0] ?? '')),
      warnings: strays.map(strayField),
    };
  };
}

const dryRunInBody: FieldError = {
  pointer: '/dry_run',
  code: 'invalid_format',
  message: 'must be in the query string: ?dry_run=true. Nothing was stored',
};

function strayField(name: string): Warning {
  return {
    code: 'unknown_field',
    pointer: pointerOf([name]),
    message: `${name} is taken from the path or the query; its value in the body was ignored.`,
  };
}

/** Text that does not convert stays text, which the schema rejects. */
type ReadText = (text: string) => unknown;

function reader({ type }: Field): ReadText {
  if (type === 'integer' || type === 'number') return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}

/** Rejects unknown and repeated parameters: an ignored filter returns wrong data. */
export function createQueryReader(operation: Operation, route: HttpRoute): (query: unknown) => Record<string, unknown> {
  const inPath = new Set(pathParameters(route.path));
  const allowed = route.method === 'GET' ? undefined : new Set(operation.http.query ?? []);
  const readers = new Map(
    inputFields(operation)
      .filter(({ name }) => !inPath.has(name) && (allowed?.has(name) ?? true))
      .map((field) => [field.name, reader(field)]),
  );
  if (exportColumns(operation)) readers.set('format', (text) => text);
  return (query) => {
    const input: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(isRecord(query) ? query : {})) {
      const read = readers.get(name);
      if (read === undefined || typeof text !== 'string') throw domainErrorOf(name, text, [...readers.keys()]);
      input[name] = read(text);
    }
    return input;
  };
}

function domainErrorOf(name: string, value: unknown, known: readonly string[]): DomainError {
  if (!Array.isArray(value)) return unknownParameter(name, known);
  const detail = `The query parameter ${truncate(name, 64)} is given more than once.`;
  return new DomainError('unknown_parameter', { detail });
}

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

function reader({ type, item }: Field): ReadText {
  if (type === 'list' && item) return reader(item);
  if (type === 'integer' || type === 'number') return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}

interface Parameter {
  read: ReadText;
  /** Takes several values, as a parameter that is repeated. */
  isList: boolean;
}

/** Rejects unknown parameters, and repeated ones that take one value: an ignored filter returns wrong data. */
export function createQueryReader(operation: Operation, route: HttpRoute): (query: unknown) => Record<string, unknown> {
  const inPath = new Set(pathParameters(route.path));
  const allowed = route.method === 'GET' ? undefined : new Set(operation.http.query ?? []);
  const parameters = new Map<string, Parameter>(
    inputFields(operation)
      .filter(({ name }) => !inPath.has(name) && (allowed?.has(name) ?? true))
      .map((field) => [field.name, { read: reader(field), isList: field.type === 'list' }]),
  );
  if (exportColumns(operation)) parameters.set('format', { read: (text) => text, isList: false });
  return (query) => {
    const input: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(isRecord(query) ? query : {})) {
      const parameter = parameters.get(name);
      if (parameter?.isList === true) input[name] = textsOf(given).map(parameter.read);
      else if (parameter === undefined || typeof given !== 'string')
        throw domainErrorOf(name, given, [...parameters.keys()]);
      else input[name] = parameter.read(given);
    }
    return input;
  };
}

function textsOf(given: unknown): string[] {
  return (Array.isArray(given) ? given : [given]).map(String);
}

function domainErrorOf(name: string, value: unknown, known: readonly string[]): DomainError {
  if (!Array.isArray(value)) return unknownParameter(name, known);
  const detail = `The query parameter ${truncate(name, 64)} is given more than once.`;
  return new DomainError('unknown_parameter', { detail });
}

import { type HttpRoute, type Operation, pathParameters } from '@finhook/contracts';
import { DomainError, shorten } from '@finhook/core';
import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { exportColumns } from '../operations/export-columns.ts';
import { shapeOf, unknownParameter, unwrapSchema } from '../operations/input-schema.ts';

/** Reads the text of one query parameter as its field's JSON type; what does not fit stays text for the schema to refuse. */
type ReadText = (text: string) => unknown;

function reader(schema: unknown): ReadText {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodNumber) return (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (inner instanceof z.ZodBoolean) return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  return (text) => text;
}

/**
 * Builds the function that turns a query string into input fields. An unknown or repeated parameter is refused: a
 * filter that is silently ignored gives wrong data.
 */
export function createQueryReader(operation: Operation, route: HttpRoute): (query: unknown) => Record<string, unknown> {
  const inPath = new Set(pathParameters(route.path));
  const allowed = route.method === 'GET' ? undefined : new Set(operation.http.query ?? []);
  const readers = new Map(
    Object.entries(shapeOf(operation))
      .filter(([name]) => !inPath.has(name) && (allowed?.has(name) ?? true))
      .map(([name, schema]) => [name, reader(schema)]),
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
  const detail = `The query parameter ${shorten(name, 64)} is given more than once.`;
  return new DomainError('unknown_parameter', { detail });
}

import { z } from 'zod';
import { atPointer, isObject, type JsonObject } from './json.ts';
import { canName } from './known-records.ts';

const json = z.record(z.string(), z.unknown());
const operationSchema = z.object({
  operationId: z.string(),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: json, example: json.optional() }) }) })
    .optional(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), json).optional() })),
  'x-emits': z.array(z.string()).default([]),
  'x-emits-later': z.array(z.string()).default([]),
});
const documentSchema = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

/** What an OpenAPI document tells of one operation. */
export interface DocumentedOperation {
  id: string;
  /** In capitals. */
  method: string;
  /** With the server's prefix; `{name}` parts are `parameters`. */
  path: string;
  parameters: readonly string[];
  /** The JSON Schema of the body, and an example of one. */
  body: JsonObject | undefined;
  example: JsonObject;
  /** Event types, those that come at once before those that come later. */
  emits: readonly string[];
  /**
   * The records in its answer by their `object`, the answer itself first; `creates` says that it is a new one, and not the
   * one of the path with something that is new about it.
   */
  records: readonly string[];
  creates: boolean;
}

/** The names of the records that a schema has room for, in the order of its text. */
function recordNames(document: unknown, schema: unknown, seen: ReadonlySet<string> = new Set()): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => recordNames(document, part, seen));
  if (!isObject(schema)) return [];
  const { $ref: ref } = schema;
  if (typeof ref === 'string')
    return seen.has(ref) ? [] : recordNames(document, atPointer(document, ref.slice(1)), new Set([...seen, ref]));
  const name = atPointer(schema, '/properties/object/const');
  const inside = Object.values(schema).flatMap((part) => recordNames(document, part, seen));
  return typeof name === 'string' ? [name, ...inside] : inside;
}

/** The schema with what it refers to in place of each reference. */
function inlined(document: unknown, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inlined(document, part));
  if (!isObject(schema)) return schema;
  const { $ref: ref, ...own } = schema;
  const parts = Object.entries(own).map(([name, part]): [string, unknown] => [name, inlined(document, part)]);
  const referred = typeof ref === 'string' ? inlined(document, atPointer(document, ref.slice(1))) : {};
  return { ...Object(referred), ...Object.fromEntries(parts) };
}

/** The operations of an OpenAPI document, in its order. Throws where it is not one that can be worked with. */
export function readOperations(document: unknown): DocumentedOperation[] {
  const { servers, paths } = documentSchema.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const body = operation.requestBody?.content['application/json'];
      const { 201: created, 200: found, 202: queued } = operation.responses;
      const records = recordNames(document, (created ?? found ?? queued)?.content?.['application/json']);
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path: servers[0].url + path,
        parameters,
        body: body && json.parse(inlined(document, body.schema)),
        example: body?.example ?? {},
        emits: [...operation['x-emits'], ...operation['x-emits-later']],
        records,
        creates: created !== undefined && !canName(parameters.at(-1) ?? '', records[0] ?? ''),
      };
    }),
  );
}

import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

const MAX_INT32 = 2 ** 31 - 1;

/**
 * The `override` of every published JSON Schema: objects are open, because receivers must tolerate new fields; numbers
 * have a size for typed languages; a nullable type is one type, not a union.
 */
export function completeJsonSchema(context: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const { zodSchema, jsonSchema } = context;
  if (zodSchema._zod.def.type === 'nullable') joinNull(jsonSchema);
  else completeType(jsonSchema);
  for (const property of Object.values(jsonSchema.properties ?? {})) openReference(property);
  // Java's generators write a union with a list as `List<T>.class`, which is not valid Java.
  if (jsonSchema.anyOf?.some(({ type }) => type === 'array')) delete jsonSchema.anyOf;
}

function completeType(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.type === 'number') schema.format = 'double';
  if (schema.type === 'integer') schema.format = isInt32(schema.minimum, schema.maximum) ? 'int32' : 'int64';
}

/** zod-openapi never overrides a reference, and one with a description repeats that its object is closed. */
function openReference(schema: z.core.JSONSchema._JSONSchema): void {
  if (typeof schema === 'object' && schema.additionalProperties === false) delete schema.additionalProperties;
}

export function isInt32(min = -Infinity, max = Infinity): boolean {
  return min >= -MAX_INT32 - 1 && max <= MAX_INT32;
}

/** `anyOf: [{ type }, { type: 'null' }]` becomes `type: [type, 'null']`, except of references and enums. */
function joinNull(schema: JsonSchema): void {
  const [inner] = schema.anyOf ?? [];
  if (typeof inner?.type !== 'string' || inner.enum !== undefined || inner.const !== undefined) return;
  completeType(inner);
  delete schema.anyOf;
  Object.assign(schema, { ...inner, ...schema, type: [inner.type, 'null'] });
}

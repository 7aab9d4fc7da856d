import { isSecret } from '@finhook/contracts';
import type { IsSecretPlace } from '@finhook/core';
import { z } from 'zod';
import { unwrapSchema } from './unknown-fields.ts';

function fieldsOf(schema: z.ZodObject): Record<PropertyKey, unknown> {
  return schema.shape;
}

function below(schema: unknown, part: PropertyKey): unknown {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, part) ? fieldsOf(schema)[part] : undefined;
}

function isMarked(schema: unknown): boolean {
  return schema instanceof z.ZodType && isSecret(schema);
}

function holdsSecret(schema: unknown): boolean {
  const inner = unwrapSchema(schema);
  if (isMarked(inner)) return true;
  if (inner instanceof z.ZodArray) return holdsSecret(inner.element);
  return inner instanceof z.ZodObject && Object.values(fieldsOf(inner)).some(holdsSecret);
}

/** Of a schema: the places that are marked as secret, all below them, and what they are parts of. */
export function createIsSecretPlace(schema: z.ZodType): IsSecretPlace {
  return (path) => {
    let current: unknown = schema;
    for (const part of path) {
      current = unwrapSchema(below(current, part));
      if (isMarked(current)) return true;
    }
    return holdsSecret(current);
  };
}

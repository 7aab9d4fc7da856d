import type { z } from 'zod';

type Fields = Record<string, z.ZodType>;

/** The fields of a request; one without a description takes that of the record's field of the same name. */
export function describedAs<S extends Fields>(record: { shape: Fields }, fields: S): S {
  const described: Fields = {};
  for (const [name, field] of Object.entries(fields)) {
    const text = field.description === undefined ? record.shape[name]?.description : undefined;
    if (text !== undefined) described[name] = field.describe(text);
  }
  return { ...fields, ...described };
}

import { z } from 'zod';
import { fieldErrorCodes } from '../errors.ts';
import { instant } from '../scalars.ts';

/** Something the caller should look at although the request succeeded. */
export const warning = z
  .object({ code: z.string(), pointer: z.string().optional(), message: z.string() })
  .meta({ id: 'Warning' });
export type Warning = z.output<typeof warning>;

/** Present on the answer of every write: unknown fields that were not stored are named here. */
export const warnings = z.array(warning);

export const fieldError = z
  .object({ pointer: z.string(), code: z.enum(fieldErrorCodes), message: z.string() })
  .meta({ id: 'FieldError' });

/** A page of a list: `next_cursor` goes back in as `after`, `prev_cursor` as `before`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean().meta({
      description:
        'Whether there are more rows in the direction that was read; a page may be shorter than `limit` and not the last',
    }),
    next_cursor: z.string().nullable().meta({ description: 'As `after`: the next page. null: there is none' }),
    prev_cursor: z.string().nullable().meta({ description: 'As `before`: the previous page. null: there is none' }),
    total_count: z.int().optional(),
  });
}

/** Parameters that every list takes. */
export const pageParameters = {
  limit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ description: 'Rows of a page at most: one of large rows ends at about 4 MB, and `has_more` says so' }),
  after: z.string().max(1000).optional(),
  before: z.string().max(1000).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
  include: z.enum(['total_count']).optional(),
};

/** Filters that lists of records take: when a row was made (`created_to` is exclusive), and when it last changed. */
export const timeFilters = {
  created_from: instant.optional(),
  created_to: instant.optional(),
  updated_since: instant.optional(),
};

import { z } from 'zod';
import { currency, id, instant, objectType } from '../scalars.ts';

const warning = z
  .object({
    code: z.string().describe('Stable code of the warning.'),
    pointer: z
      .string()
      .optional()
      .describe('RFC 6901 JSON pointer to the field of the request; absent if the warning concerns no single field.'),
    message: z.string().describe('Explanation for people; the wording may change.'),
    transaction_id: id('txn')
      .optional()
      .describe('The transaction that the warning is about; absent if it is about none.'),
    connection_id: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The account that the warning is about; null for transactions without a connection, absent if it is about none.',
      ),
    stored_currency: currency
      .optional()
      .describe(
        'Present only with the code `currency_changed`: the currency of the newest balance of the connection, or else of its newest row, or that of the replaced statement.',
      ),
  })
  .meta({ id: 'Warning', description: 'Something the caller should look at although the request succeeded.' });
export type Warning = z.output<typeof warning>;

export const warnings = z
  .array(warning)
  .describe('Anything to look at although the request succeeded, such as unknown fields, which are not stored.');

function componentId(schema: z.ZodType): string {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('The schema needs an id: its list and its results are named after it.');
  return name;
}

/** The record with `warnings`, as writes return it; the component `<record>Result`. */
export function writeResult<T extends z.ZodRawShape>(record: z.ZodObject<T>) {
  return record.extend({ warnings: warnings.optional() }).meta({
    id: `${componentId(record)}Result`,
    description: `${z.globalRegistry.get(record)?.description ?? ''} Returned by writes, with their warnings.`.trim(),
  });
}

/** A page of a list, the component `<record>List`: `next_cursor` goes back in as `after`, `prev_cursor` as `before`. */
export function listOf<T extends z.ZodType>(item: T) {
  return pageOf(item).meta(pageMeta(item));
}

/** The same with fields besides those of a page. */
export function listWith<T extends z.ZodType, F extends z.ZodRawShape>(item: T, fields: F) {
  return z.object({ ...pageOf(item).shape, ...fields }).meta(pageMeta(item));
}

function pageMeta(item: z.ZodType) {
  return { id: `${componentId(item)}List`, description: `One page of a list of \`${componentId(item)}\` records.` };
}

function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    object: objectType('list'),
    data: z.array(item).describe('The page of records, in the requested order.'),
    has_more: z
      .boolean()
      .describe(
        'True if there are more rows in the direction that was read. A page may be shorter than `limit` without being the last.',
      ),
    next_cursor: z.string().nullable().describe('Cursor of the next page, to pass as `after`; null if there is none.'),
    prev_cursor: z
      .string()
      .nullable()
      .describe('Cursor of the previous page, to pass as `before`; null if there is none.'),
    total_count: z
      .int()
      .optional()
      .describe('Number of records that the filters select. Present only with `include=total_count`.'),
  });
}

export const pageParameters = {
  limit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Maximum number of rows on a page. A page of large rows ends at about 4 MB, before its limit.'),
  after: z.string().max(1000).optional().describe('Cursor from `next_cursor`: returns the page after it.'),
  before: z.string().max(1000).optional().describe('Cursor from `prev_cursor`: returns the page before it.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Sort order, `desc` for newest first.'),
  include: z
    .enum(['total_count'])
    .optional()
    .describe('`total_count` adds the number of records that the filters select, which is slow for large lists.'),
};

export const timeFilters = {
  created_from: instant.optional().describe('Only records created at or after this time.'),
  created_to: instant.optional().describe('Only records created before this time.'),
  updated_since: instant.optional().describe('Only records that changed at or after this time.'),
};

import { z } from 'zod';
import { text } from '../scalars.ts';

const MAX_CONDITIONS = 50;
/** Each is compared with every entry of a list: what a filter may cost the request that stores an event. */
const MAX_VALUES = 200;
/** Conditions, values, and the groups around them: no filter has more. */
const MAX_PARTS = 400;

const field = z
  .string()
  .max(300)
  .regex(/^(id|type|created_at|account_id|company_id|data(\.[A-Za-z0-9_]{1,64}){1,8})$/, {
    error:
      'must be a field of the event like data.amount_cents: names joined with full stops, at most eight below data',
  })
  .meta({
    description: 'A field of the envelope. Where the way leads through a list, or to one, any of its entries counts.',
    examples: ['data.amount_cents'],
  });

const scalar = z.union([text(0, 200), z.number(), z.boolean(), z.null()], {
  error: 'must be a string of at most 200 characters, a number, true, false or null',
});
const ordered = z.union([text(0, 200), z.number()], {
  error: 'must be a string of at most 200 characters or a number',
});

const conditions = [
  z.object({ op: z.literal('eq'), field, value: scalar }),
  z
    .object({ op: z.literal('ne'), field, value: scalar })
    .meta({ description: 'Whatever eq is not, absent fields too' }),
  z.object({ op: z.literal('in'), field, value: z.array(scalar).min(1).max(100) }),
  z.object({ op: z.literal('gt'), field, value: ordered }),
  z.object({ op: z.literal('gte'), field, value: ordered }),
  z.object({ op: z.literal('lt'), field, value: ordered }),
  z.object({ op: z.literal('lte'), field, value: ordered }),
  z
    .object({ op: z.literal('exists'), field, value: z.boolean() })
    .meta({ description: 'Whether the field has a value: not absent, null or an empty list' }),
  z.object({ op: z.literal('starts_with'), field, value: text(1, 200) }),
] as const;

const ops = 'eq, ne, in, gt, gte, lt, lte, exists or starts_with';
const condition = z.discriminatedUnion('op', conditions, { error: `must be ${ops}: groups are at most three deep` });

/** The conditions and, around what stands one level lower, the three that combine. */
function group<T extends z.ZodType>(inner: T) {
  const of = z.array(inner).min(1).max(20);
  const error = `must be all, any, not, ${ops}`;
  const groups = [
    z.object({ op: z.literal('all'), of }),
    z.object({ op: z.literal('any'), of }),
    z.object({ op: z.literal('not'), of: inner }),
  ] as const;
  return z.discriminatedUnion('op', [...groups, ...conditions], { error });
}

export type FilterCondition = z.output<typeof condition>;

/** A filter of any depth; what requests may hold is at most three groups deep. */
export type PayloadFilter =
  | FilterCondition
  | { op: 'all' | 'any'; of: readonly PayloadFilter[] }
  | { op: 'not'; of: PayloadFilter };

function conditionsOf(filter: PayloadFilter): FilterCondition[] {
  if (!('of' in filter)) return [filter];
  return filter.op === 'not' ? conditionsOf(filter.of) : filter.of.flatMap(conditionsOf);
}

function countValues(filter: PayloadFilter): number {
  return conditionsOf(filter).reduce((sum, { op, value }) => sum + (op === 'in' ? value.length : 1), 0);
}

/**
 * Which events an endpoint wants, by their fields: conditions, combined by `all`, `any` and `not` at most three deep.
 * Values of different kinds are never equal and never ordered; strings are ordered by code point.
 */
export const payloadFilter = group(
  group(group(condition.meta({ id: 'FilterCondition' })).meta({ id: 'FilterGroup' })).meta({ id: 'FilterGroups' }),
)
  .refine((filter) => conditionsOf(filter).length <= MAX_CONDITIONS, {
    error: `must have at most ${MAX_CONDITIONS} conditions`,
    params: { code: 'too_many' },
  })
  .refine((filter) => countValues(filter) <= MAX_VALUES, {
    error: `must compare with at most ${MAX_VALUES} values, those of all its conditions together`,
    params: { code: 'too_many' },
  })
  .meta({ id: 'PayloadFilter' });

/**
 * What is wrong with a value that has more parts than any filter, counted up to there: zod would describe the faults of each
 * part first, and lists in lists have room for a million.
 */
export function filterSizeFault(value: unknown): string | undefined {
  const parts: unknown[] = [value];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const inner of [Reflect.get(part, 'of'), Reflect.get(part, 'value')]) {
      if (inner === undefined) continue;
      const found: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
      if (parts.length + found.length > MAX_PARTS) {
        return `must have at most ${MAX_CONDITIONS} conditions and ${MAX_VALUES} values`;
      }
      parts.push(...found);
    }
  }
  return undefined;
}

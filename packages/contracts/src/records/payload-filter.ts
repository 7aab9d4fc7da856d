import { z } from 'zod';
import { text } from '../scalars.ts';

const MAX_CONDITIONS = 50;
/** Bounds the cost of storing an event, which compares each value with each entry of a list. */
const MAX_VALUES = 200;
/** No valid filter has more groups, conditions and values. */
const MAX_PARTS = 400;

const field = z
  .string()
  .max(300)
  .regex(/^(id|type|created_at|account_id|company_id|data(\.[A-Za-z0-9_]{1,64}){1,8})$/, {
    error:
      'must be a field of the event like data.amount_cents: names joined with full stops, at most eight below data',
  })
  .meta({
    description:
      'Path of a field of the event, for example `data.amount_cents`. If the path leads through or to a list, any entry may match.',
    examples: ['data.amount_cents'],
  });

const scalar = z
  .union([text(0, 200), z.number(), z.boolean(), z.null()], {
    error: 'must be a string of at most 200 characters, a number, true, false or null',
  })
  .meta({ id: 'FilterValue', description: 'A string of at most 200 characters, a number, a boolean or null.' });
const ordered = z
  .union([text(0, 200), z.number()], { error: 'must be a string of at most 200 characters or a number' })
  .meta({ id: 'FilterBound', description: 'A string of at most 200 characters, compared by code point, or a number.' });

const operator = <const N extends string>(name: N) => z.literal(name).describe(`Operator: always \`${name}\`.`);

const conditions = [
  z
    .object({ op: operator('eq'), field, value: scalar.describe('Value that the field equals.') })
    .meta({ id: 'FilterEq', description: 'The field equals the value, which has the same type.' }),
  z
    .object({ op: operator('ne'), field, value: scalar.describe('Value that the field does not equal.') })
    .meta({ id: 'FilterNe', description: 'The opposite of `eq`; true for an absent field as well.' }),
  z
    .object({
      op: operator('in'),
      field,
      value: z.array(scalar).min(1).max(100).describe('Values, one of which matches.'),
    })
    .meta({ id: 'FilterIn', description: 'The field equals one of the values.' }),
  z
    .object({ op: operator('gt'), field, value: ordered.describe('Exclusive lower bound.') })
    .meta({ id: 'FilterGt', description: 'The field is greater than the value, which has the same type.' }),
  z.object({ op: operator('gte'), field, value: ordered.describe('Inclusive lower bound.') }).meta({
    id: 'FilterGte',
    description: 'The field is greater than or equal to the value, which has the same type.',
  }),
  z
    .object({ op: operator('lt'), field, value: ordered.describe('Exclusive upper bound.') })
    .meta({ id: 'FilterLt', description: 'The field is less than the value, which has the same type.' }),
  z
    .object({ op: operator('lte'), field, value: ordered.describe('Inclusive upper bound.') })
    .meta({ id: 'FilterLte', description: 'The field is less than or equal to the value, which has the same type.' }),
  z
    .object({
      op: operator('exists'),
      field,
      value: z.boolean().describe('True to require a value, false to require that there is none.'),
    })
    .meta({ id: 'FilterExists', description: 'The field has a value: it is not absent, null or an empty list.' }),
  z
    .object({ op: operator('starts_with'), field, value: text(1, 200).describe('Text that the field starts with.') })
    .meta({ id: 'FilterStartsWith', description: 'The field is a string that starts with the value.' }),
] as const;

const ops = 'eq, ne, in, gt, gte, lt, lte, exists or starts_with';
const condition = z.discriminatedUnion('op', conditions, { error: `must be ${ops}: groups are at most three deep` });

/** The caller sets the `id` last: generators don't support a `$ref` with siblings, which a later addition causes. */
function group<T extends z.ZodType>(id: string, inner: T) {
  const of = z.array(inner).min(1).max(20);
  const error = `must be all, any, not, ${ops}`;
  const groups = [
    z
      .object({ op: operator('all'), of: of.describe('Filters that all have to match.') })
      .meta({ id: `${id}All`, description: 'All of the filters match.' }),
    z
      .object({ op: operator('any'), of: of.describe('Filters one of which has to match.') })
      .meta({ id: `${id}Any`, description: 'At least one of the filters matches.' }),
    z
      .object({ op: operator('not'), of: inner.describe('The filter that must not match.') })
      .meta({ id: `${id}Not`, description: 'The filter does not match.' }),
  ] as const;
  return z.discriminatedUnion('op', [...groups, ...conditions], { error });
}

const inGroups = 'A condition, or a group of filters.';

export type FilterCondition = z.output<typeof condition>;

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

/** Values of different types are never equal and never ordered; strings are ordered by code point. */
export const payloadFilter = group(
  'Filter',
  group(
    'FilterGroups',
    group(
      'FilterGroup',
      condition.meta({ id: 'FilterCondition', description: 'A condition on one field of the event.' }),
    ).meta({ id: 'FilterGroup', description: inGroups }),
  ).meta({ id: 'FilterGroups', description: inGroups }),
)
  .refine((filter) => conditionsOf(filter).length <= MAX_CONDITIONS, {
    error: `must have at most ${MAX_CONDITIONS} conditions`,
    params: { code: 'too_many' },
  })
  .refine((filter) => countValues(filter) <= MAX_VALUES, {
    error: `must compare with at most ${MAX_VALUES} values, those of all its conditions together`,
    params: { code: 'too_many' },
  })
  .meta({
    id: 'PayloadFilter',
    description: `Which events are sent, by their fields: at most ${MAX_CONDITIONS} conditions, combined at most three levels deep.`,
  });

/** The error of a filter with too many parts. Checked before zod, which could report a million errors. */
export function filterSizeError(value: unknown): string | undefined {
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

// Risk: a form, a flag, a page of the docs or a client type that lacks a part of a schema.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { allEventTypes, eventDefinition } from './events/index.ts';
import { type Direction, type Field, fieldNamed, fieldOf, fieldsOf, holdsSecret } from './fields.ts';
import { defineOperation, deprecatedField } from './operation.ts';
import { operationList } from './operations/index.ts';
import { secret } from './scalars.ts';

interface Json {
  $ref?: string;
  $defs?: Record<string, Json>;
  type?: string | string[];
  anyOf?: Json[];
  oneOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
  additionalProperties?: Json | false;
  description?: string;
}

/** A line per part of a schema: its place, what contains it, if it is required, its description. */
function partsOfJson(root: Json): string[] {
  function partsOf(given: Json, place: string): string[] {
    const { $ref = '#', ...own } = given;
    const schema = { ...root.$defs?.[$ref.replace('#/$defs/', '')], ...own };
    const members = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null');
    return [
      ...members.flatMap((member) => partsOf(member, place)),
      ...(schema.items ? partsOf(schema.items, `${place}[]`) : []),
      ...(schema.additionalProperties ? partsOf(schema.additionalProperties, `${place}.*`) : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
        lineOf(`${place}.${name}`, schema.required?.includes(name) === true),
        ...partsOf(property, `${place}.${name}`),
      ]),
    ];
  }
  return partsOf(root, '').sort();
}

const lineOf = (place: string, isRequired: boolean) => `${place}${isRequired ? '' : '?'}`;

function partsOfField(field: Field, place = ''): string[] {
  return [
    ...(field.variants ?? []).flatMap((variant) => partsOfField(variant, place)),
    ...(field.item ? partsOfField(field.item, field.type === 'list' ? `${place}[]` : `${place}.*`) : []),
    ...(field.fields ?? []).flatMap((each) => [
      lineOf(`${place}.${each.name}`, each.required),
      ...partsOfField(each, `${place}.${each.name}`),
    ]),
  ].sort();
}

// zod's type of a schema also allows `true` and `false`, which it never generates.
function jsonOf(schema: z.ZodType, io: Direction): Json {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
}

const schemas = [
  ...operationList.flatMap(({ id, input, output }): [string, z.ZodType, Direction][] => [
    [`input of ${id}`, input, 'input'],
    [`output of ${id}`, output, 'output'],
  ]),
  ...allEventTypes.flatMap((type): [string, z.ZodType, Direction][] => [
    [type, eventDefinition(type).data, 'output'],
    [`thin ${type}`, eventDefinition(type).thin.schema, 'output'],
  ]),
];

test.each(schemas)('the tree of %s has every part of its JSON Schema', (_name, schema, direction) => {
  expect(partsOfField(fieldOf(schema, direction))).toEqual(partsOfJson(jsonOf(schema, direction)));
});

test('a field has the type, bounds, unit and texts of its schema, whatever it is wrapped in', () => {
  const schema = z.object({
    sum_cents: z.int().min(0).nullish().describe('A sum.'),
    total: z.int(),
    day: z.iso
      .date()
      .meta({ examples: ['2026-03-31'] })
      .nullable(),
    at: z.string().meta({ format: 'date-time' }),
    names: z.array(z.string().min(1).max(9)).min(1).max(3),
    size: z.enum(['small', 'large']).default('small'),
    kind: z.literal('a'),
    key: secret(z.string()).optional(),
    old: deprecatedField(z.number().max(5), { since: '2026-01-01', successor: 'total' }),
    free: z.unknown(),
  });
  const tree = fieldOf(schema, 'input');
  const field = (name: string) => fieldNamed(tree, name);
  expect(field('sum_cents')).toMatchObject({ type: 'integer', unit: 'minor_units', min: 0, description: 'A sum.' });
  expect(field('sum_cents')).toMatchObject({ required: false, nullable: true });
  expect([field('sum_cents')?.max, field('total')?.min, field('total')?.max]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(field('day')).toMatchObject({ type: 'date', required: true, nullable: true, examples: ['2026-03-31'] });
  expect(field('at')?.type).toBe('instant');
  expect(field('names')).toMatchObject({ type: 'list', min: 1, max: 3, item: { type: 'text', min: 1, max: 9 } });
  expect(field('size')).toMatchObject({ type: 'enum', options: ['small', 'large'], default: 'small', required: false });
  expect(fieldNamed(fieldOf(schema, 'output'), 'size')?.required).toBe(true);
  expect(field('kind')).toMatchObject({ type: 'constant', constant: 'a' });
  expect([field('key')?.secret, field('total')?.secret]).toEqual([true, false]);
  expect(field('old')).toMatchObject({ deprecated: true, max: 5 });
  expect(field('old')?.description).toContain('use `total`');
  expect(field('free')?.type).toBe('json');
});

const key = secret(z.string());
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plain'), key: z.string() }),
  z.object({ kind: z.literal('signed'), key }),
]);

test.each<[string, z.ZodType, boolean]>([
  ['no secret', z.object({ list: z.array(z.string()), either: z.union([z.string(), z.int()]).nullish() }), false],
  ['a secret', key, true],
  ['a secret that is described, refined or bounded', key.min(1).refine(Boolean).describe('A key.'), true],
  ['an optional, a nullable and a default secret', key.optional().nullable().default('x'), true],
  ['a secret that is optional inside', secret(z.string().nullish()), true],
  ['a secret that has a default inside', secret(z.string().default('x')), true],
  ['a field', z.object({ key }), true],
  ['another field of an open object', z.object({}).catchall(key), true],
  ['an item of a list', z.array(key), true],
  ['a value of a map', z.record(z.string(), key), true],
  ['a member of a union', z.union([z.int(), key]), true],
  ['a field of a member of a union', kinds, true],
  ['a member of a union in a list in a map', z.record(z.string(), z.array(kinds).nullish()), true],
])('%s: a schema holds a secret', (_name, schema, holds) => {
  expect(holdsSecret(fieldOf(schema, 'input'))).toBe(holds);
});

test('a union has its members and the fields of all of them', () => {
  const a = z.object({ kind: z.literal('a'), both: z.string(), one: z.string() });
  const b = z.object({ kind: z.literal('b'), both: z.string() });
  const tree = fieldOf(z.union([a, b]), 'input');
  expect(tree).toMatchObject({ type: 'union', variants: [{ type: 'object' }, { type: 'object' }] });
  expect(fieldsOf(tree).map(({ name, required }) => [name, required])).toEqual([
    ['kind', true],
    ['both', true],
    ['one', false],
  ]);
});

test('a component keeps its name in what describes or refines it', () => {
  const named = z.object({}).meta({ id: 'FieldsTestComponent', description: 'All.' });
  const component = { name: 'FieldsTestComponent', description: 'All.' };
  expect(fieldOf(named.describe('One.').nullable(), 'output')).toMatchObject({ component, description: 'One.' });
  expect(
    fieldOf(
      named.refine(() => true),
      'output',
    ),
  ).toMatchObject({ component, description: 'All.' });
});

test('an exclusive bound is not a bound of the field', () => {
  expect(fieldOf(z.number().gt(0).lt(9), 'input')).toMatchObject({ min: undefined, max: undefined });
  expect(fieldOf(z.number().gte(0).lte(9), 'input')).toMatchObject({ min: 0, max: 9 });
});

test('a schema of an unknown type, or a literal of several values, is an error', () => {
  expect(() => fieldOf(z.object({ at: z.date() }), 'input')).toThrow('date');
  expect(() => fieldOf(z.literal(['a', 'b']), 'input')).toThrow('use an enum');
});

test('the error of an operation that cannot be described names it', () => {
  const http = { method: 'POST', path: '/clocks' } as const;
  const define = () =>
    defineOperation({ http, summary: '', description: '', input: z.object({ at: z.date() }), output: z.object({}) });
  expect(define).toThrow('POST /clocks');
});

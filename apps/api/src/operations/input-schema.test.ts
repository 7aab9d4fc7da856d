// Risk: a misspelt field is dropped without a warning, a known one is reported as unknown, or an error repeats a credential.
import { type Field, fieldOf, type Operation, operationList, operations, secret } from '@finhook/contracts';
import { DomainError, freeFields, parseJson, pathOf, toFieldErrors } from '@finhook/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldAt, findUnknownFields, isSecretAt } from './input-schema.ts';
import { createInputParser } from './parse-input.ts';

const root = fieldOf(
  z.object({
    name: z.string(),
    rows: z.array(z.object({ id: z.string(), note: z.string().nullish() })).optional(),
    inner: z.object({ a: z.int().default(1) }).nullish(),
    open: z.record(z.string(), z.number()).optional(),
  }),
  'input',
);
const find = (value: unknown) => findUnknownFields(root, value);
const pointers = (value: unknown): (string | undefined)[] => find(value).map(({ pointer }) => pointer);

describe('findUnknownFields', () => {
  test('names each unknown field, at every depth', () => {
    expect(
      pointers({ nmae: 1, rows: [{ id: 'x' }, { di: 'y', 'a/b~': 1 }], inner: { b: 1 }, open: { anything: 1 } }),
    ).toEqual(['/nmae', '/rows/1/di', '/rows/1/a~1b~0', '/inner/b']);
  });

  test('finds none in the example of any operation', () => {
    for (const operation of operationList) {
      const form = operation.variant?.(operation.example) ?? operation.input;
      expect(findUnknownFields(fieldOf(form, 'input'), operation.example), operation.id).toEqual([]);
    }
  });

  test('names those of a payload filter', () => {
    const filter = {
      op: 'all',
      of: [{ op: 'not', of: { op: 'eq', field: 'type', value: 'x', negate: true } }],
      any: [],
    };
    const endpoint = fieldOf(operations.webhookEndpoints.create.input, 'input');
    const findInEndpoint = (value: unknown) => findUnknownFields(endpoint, value);
    expect(findInEndpoint({ url: 'https://a.example', filter }).map(({ pointer }) => pointer)).toEqual([
      '/filter/of/0/of/negate',
      '/filter/any',
    ]);
    expect(findInEndpoint({ url: 'https://a.example', filter: { op: 'nor', x: 1 } })).toEqual([]);
  });

  test('names those of the variant that the discriminator selects, and none of an open object', () => {
    const variants = [
      z.object({ version: z.literal(1), kind: z.literal('a'), one: z.string() }),
      z.object({ version: z.literal(1), kind: z.literal('b'), two: z.string() }),
    ] as const;
    const union = fieldOf(z.object({ of: z.discriminatedUnion('kind', variants).optional() }), 'input');
    const findInUnion = (of: unknown) => findUnknownFields(union, { of }).map(({ pointer }) => pointer);
    expect(findInUnion({ version: 1, kind: 'b', two: '' })).toEqual([]);
    expect(findInUnion({ version: 1, kind: 'b', one: '' })).toEqual(['/of/one']);
    expect(findInUnion({ version: 1 })).toEqual([]);
    const open = fieldOf(z.object({ name: z.string() }).catchall(z.object({ a: z.int() })), 'input');
    expect(findUnknownFields(open, { name: '', more: { a: 1, b: 2 } }).map(({ pointer }) => pointer)).toEqual([
      '/more/b',
    ]);
  });

  test('treats inherited names as unknown, and ignores values of other types', () => {
    const sent: unknown = JSON.parse('{"constructor":1,"__proto__":{"name":2},"rows":{"0":{}},"inner":[]}');
    expect(pointers(sent)).toEqual(['/constructor', '/__proto__']);
    for (const value of [null, 5, 'x', []]) expect(find(value)).toEqual([]);
  });

  test('stops at a hundred', () => {
    let looks = 0;
    const behind = new Proxy({}, { ownKeys: () => [...Array(++looks).keys()].map(String) });
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
    expect(find({ rows: [hundred, ...Array.from({ length: 1_000 }, () => behind)], inner: behind })).toHaveLength(100);
    expect(looks).toBe(0);
    expect(find(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, i])))).toHaveLength(100);
    expect(find({ ['x'.repeat(9_000)]: 1 })[0]?.message.length).toBeLessThan(200);
  });
});

test.each([
  ['', true],
  ['/name', true],
  ['/nmae', false],
  ['/rows/17/id', true],
  ['/rows/17/x', false],
  ['/inner/a', true],
  ['/inner/b', false],
  ['/open/anything', true],
  ['/name/deeper', true],
  ['/constructor', false],
  ['/__proto__', false],
])('a field at %s is known: %s', (pointer, known) => {
  expect(fieldAt(root, pathOf(pointer)) !== undefined).toBe(known);
});

test('every field of a batch is known', () => {
  const batch = fieldOf(operations.bank.transactions.ingest.variant({ transactions: [] }), 'input');
  expect(fieldAt(batch, pathOf('/transactions/499/amount_cents'))).toBeDefined();
  expect(fieldAt(batch, pathOf('/transactions/0/provider_id'))).toBeUndefined();
});

test('a named field of an open object has its own schema, other names that of the rest', () => {
  const open = fieldOf(z.object({ token: secret(z.string()) }).catchall(z.int()), 'input');
  expect([fieldAt(open, ['token'])?.type, fieldAt(open, ['more'])?.type]).toEqual(['text', 'integer']);
  expect([isSecretAt(open, ['token']), isSecretAt(open, ['more'])]).toEqual([true, false]);
});

const token = secret(z.string().min(4));
const signed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plain'), name: z.string() }),
  z.object({ kind: z.literal('signed'), token }),
]);

test.each<[string, z.ZodType]>([
  ['itself', token],
  ['an optional one', secret(z.string().min(4).nullish())],
  ['a field', z.object({ token })],
  ['an item', z.array(token)],
  ['a value of a map', z.record(z.string(), token)],
  ['a member of a union', z.union([z.int(), token])],
  ['a field of a member of a union', z.union([z.int(), z.object({ token }), z.object({ token: z.int() })])],
  ['a field of a member of a discriminated union', signed],
  ['an item of a member of a union', z.union([z.int(), z.array(token)]).nullish()],
  ['a union in a list in a union', z.union([z.array(signed), z.boolean()])],
])('a secret (%s) is in no message, whatever is sent in its place', (_name, schema) => {
  const form = z.object({ value: schema });
  const tree = fieldOf(form, 'input');
  const short = { kind: 'signed', token: 'xyz' };
  const wrong = { kind: 'signed', token: ['xyz'] };
  const sent = ['xyz', ['xyz'], [['xyz']], { token: 'xyz' }, { token: { xyz: 'xyz' } }, short, [short], wrong, [wrong]];
  const messages = sent.flatMap((value) => {
    const issues = form.safeParse({ value }).error?.issues ?? [];
    return toFieldErrors(issues, { value }, (path) => isSecretAt(tree, path)).map(({ message }) => message);
  });
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => message.includes('xyz'))).toEqual([]);
});

test('a field of a union is as open as its members of that name', () => {
  const either = fieldOf(z.object({ of: signed, list: z.array(signed) }), 'input');
  const paths = ['/of/token', '/of/name', '/of/kind', '/list/0/token', '/list/0/name', '/of/none', '/of', '/list', ''];
  expect(paths.filter((pointer) => isSecretAt(either, pathOf(pointer)))).toEqual([
    '/of/token',
    '/list/0/token',
    '/of',
    '/list',
    '',
  ]);
});

type Path = (string | number)[];

function placesIn({ type, item, fields }: Field): Path[] {
  if (type === 'list' && item) return placesIn(item).map((path) => [0, ...path]);
  return fields?.flatMap((field) => placesIn(field).map((path) => [field.name, ...path])) ?? [[]];
}

function inputOf({ variant, input, example }: Operation): Field {
  return fieldOf(variant?.(example) ?? input, 'input');
}

const secretPlaces = operationList.flatMap((operation) => {
  const input = inputOf(operation);
  return placesIn(input)
    .filter((path) => isSecretAt(input, path))
    .map((path) => ({ operation, path }));
});

function messagesOf(operation: Operation, sent: object): string[] {
  const ids = Object.fromEntries([...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
  const { value, inexact } = parseJson(JSON.stringify({ ...ids, ...operation.example, ...sent }));
  try {
    createInputParser(operation)(value, inexact);
  } catch (error) {
    if (error instanceof DomainError) return [error.message, ...error.fields.map(({ message }) => message)];
    throw error;
  }
  return [];
}

/** Mistaken values of a credential, each with the mark that identifies an echo. */
const MARK = '777777777777777777777';
const mistakes: unknown[] = [
  `${MARK} `,
  `${MARK}\0${'x'.repeat(70_000)}`,
  Number(MARK),
  true,
  [MARK],
  [[MARK, 5]],
  { [`a ${MARK}`]: MARK, b: 5, c: [MARK, 5] },
  JSON.parse(`{"__proto__":["${MARK}"]}`),
];

test('every input that is or may be a credential is marked', () => {
  const marked = secretPlaces.map(({ operation, path }) => `${operation.id} ${path.join('.')}`);
  expect(marked.toSorted()).toEqual([
    'agentActions.create input',
    'agentActions.create output',
    'agentActions.update output',
    'agentApprovals.decide edited_payload',
    'agentApprovals.request payload',
    'bank.connections.create config.url',
    'bank.connections.setSecret secret',
    'cases.comments.create attachments.0.url',
    'companies.formation.completeStep evidence_url',
    'runtimeSnapshots.put checkpoint',
    'webhookEndpoints.create headers',
    'webhookEndpoints.create url',
    'webhookEndpoints.update headers',
    'webhookEndpoints.update url',
    'webhookEndpoints.verifySignature headers',
  ]);
  const suspects = operationList.flatMap((operation) =>
    placesIn(inputOf(operation))
      .map((path) => `${operation.id} ${path.join('.')}`)
      .filter((place) => /secret|password|credential|headers|url|(token|payload)$/.test(place.split(' ')[1] ?? '')),
  );
  const forms = ['webhookEndpoints.create payload', 'webhookEndpoints.update payload'];
  expect(suspects.filter((place) => !marked.includes(place))).toEqual(forms);
});

test.each(secretPlaces)('no rejection of $operation.id repeats what was sent at $path', ({ operation, path }) => {
  const rejected = path.flatMap((_, i) =>
    mistakes.flatMap((mistake) => {
      const sent = path.slice(0, i + 1).reduceRight<unknown>((inner, part) => {
        return typeof part === 'number' ? [inner] : { [part]: inner };
      }, mistake);
      return messagesOf(operation, Object(sent));
    }),
  );
  expect(rejected.length).toBeGreaterThan(0);
  expect(rejected.filter((message) => message.includes('7777') || message.includes('7.77'))).toEqual([]);
});

test('the fields of free JSON are those of the body parser', () => {
  const found = new Set<string>();
  const visit = ({ fields = [] }: Field): void => {
    for (const field of fields) {
      if (field.type === 'map' || field.type === 'json') found.add(field.name);
      visit(field.type === 'list' && field.item ? field.item : field);
    }
  };
  for (const operation of operationList) visit(inputOf(operation));
  expect([...found].toSorted()).toEqual([...freeFields].toSorted());
});

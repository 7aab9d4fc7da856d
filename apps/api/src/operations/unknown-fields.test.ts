// Risk: a misspelt field is dropped in silence, or a known one is called unknown.
import { operationList, operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileUnknownFields, schemaAt } from './unknown-fields.ts';

const schema = z.object({
  name: z.string(),
  rows: z.array(z.object({ id: z.string(), note: z.string().nullish() })).optional(),
  inner: z.object({ a: z.int().default(1) }).nullish(),
  open: z.record(z.string(), z.number()).optional(),
});
const find = compileUnknownFields(schema);
const pointers = (value: unknown): (string | undefined)[] => find(value).map(({ pointer }) => pointer);

describe('D12: compileUnknownFields', () => {
  test('names each unknown field, at every depth', () => {
    expect(
      pointers({ nmae: 1, rows: [{ id: 'x' }, { di: 'y', 'a/b~': 1 }], inner: { b: 1 }, open: { anything: 1 } }),
    ).toEqual(['/nmae', '/rows/1/di', '/rows/1/a~1b~0', '/inner/b']);
  });

  test('finds none in the example of any operation', () => {
    for (const operation of operationList) {
      const form = operation.variant?.(operation.example) ?? operation.input;
      expect(compileUnknownFields(form)(operation.example), operation.id).toEqual([]);
    }
  });

  test('names those of a payload filter, whose meaning they would change', () => {
    const filter = {
      op: 'all',
      of: [{ op: 'not', of: { op: 'eq', field: 'type', value: 'x', negate: true } }],
      any: [],
    };
    const findInEndpoint = compileUnknownFields(operations.webhookEndpoints.create.input);
    expect(findInEndpoint({ url: 'https://a.example', filter }).map(({ pointer }) => pointer)).toEqual([
      '/filter/of/0/of/negate',
      '/filter/any',
    ]);
    expect(findInEndpoint({ url: 'https://a.example', filter: { op: 'nor', x: 1 } })).toEqual([]);
  });

  test('takes names that objects inherit for unknown, and values of other types as they come', () => {
    const sent: unknown = JSON.parse('{"constructor":1,"__proto__":{"name":2},"rows":{"0":{}},"inner":[]}');
    expect(pointers(sent)).toEqual(['/constructor', '/__proto__']);
    for (const value of [null, 5, 'x', []]) expect(find(value)).toEqual([]);
  });

  test('S-1: stops at a hundred, and looks at nothing behind them', () => {
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
  expect(schemaAt(schema, pointer) !== undefined).toBe(known);
});

test('every field of a batch is known', () => {
  const batch = operations.bank.transactions.ingest.variant({ transactions: [] });
  expect(schemaAt(batch, '/transactions/499/amount_cents')).toBeDefined();
  expect(schemaAt(batch, '/transactions/0/provider_id')).toBeUndefined();
});

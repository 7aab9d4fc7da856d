// Risk: an input that its schema rejects, changes or completes is accepted unchanged.
import { isDeepStrictEqual } from 'node:util';
import { operationList, operations } from '@finhook/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileIsExact } from './fast-validate.ts';

/** The result of zod: the value itself, something else, or an error. */
function givesBack(schema: z.ZodType, value: unknown): boolean {
  const result = schema.safeParse(value);
  return result.success && isDeepStrictEqual(result.data, value);
}

const texts = ['', 'a', 'USD', 'xyz', 'bank_sync', 'skip', 'a\0b', '\ud800', 'ü', 'x'.repeat(255), 'x'.repeat(600)];
const times = [
  '2026-03-01T09:30:00Z',
  '2026-03-01t09:30z',
  '2026-03-01T09:30:00',
  '2026-02-30T00:00:00Z',
  '2026-03-01',
  '0000-01-01',
];
const numbers = [0, -0, 1, -12_500, 1.5, 2 ** 53 - 1, 2 ** 53, Number.POSITIVE_INFINITY];
const anything = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...times, ...numbers, true, null, undefined, {}, []),
  fc.jsonValue({ maxDepth: 2 }),
);

const absent = Symbol('absent');

/** Objects with the schema's fields, most of them as in the example, now and then without one or with another. */
function almost(schema: z.ZodObject, example: object): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.keys(schema.shape).map((name): [string, fc.Arbitrary<unknown>] => {
    const known: unknown = Reflect.get(example, name) ?? absent;
    return [name, fc.oneof({ weight: 30, arbitrary: fc.constant(known) }, anything, fc.constant(absent))];
  });
  const none = Array.from({ length: 9 }, () => undefined);
  const stray = fc.constantFrom(...none, '__proto__', 'constructor', 'stray');
  return fc.tuple(fc.record(Object.fromEntries(fields)), stray).map(([values, name]) => {
    const object = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== absent));
    if (name !== undefined) Object.defineProperty(object, name, { value: 1, enumerable: true, configurable: true });
    return object;
  });
}

const row = {
  external_id: 'bank-1',
  posted_at: '2026-03-01T09:30:00Z',
  amount_cents: -12_500,
  currency: 'USD',
  description: 'Invoice 1',
  category: 'software',
  counterparty: null,
  connection_id: 'operating',
  source: 'bank_sync',
};

describe('isExact', () => {
  test('a batch is exact if and only if its schema returns it unchanged', () => {
    const { input, rows, variant } = operations.bank.transactions.ingest;
    const schema = variant?.({ transactions: [] }) ?? input;
    const isExact = compileIsExact(schema);
    const seen = { exact: 0, other: 0 };
    const batches = fc.array(almost(rows.row, row), { maxLength: 3 });
    fc.assert(
      fc.property(batches, (transactions) => {
        const value = { company_id: 'co_1', transactions };
        const expected = givesBack(schema, value);
        seen[expected ? 'exact' : 'other']++;
        expect(isExact(value)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    // Values of one kind only would prove nothing.
    expect(Math.min(seen.exact, seen.other)).toBeGreaterThan(100);
  });

  test('an exact input of any operation is returned unchanged by its schema', () => {
    for (const operation of operationList) {
      const schema = operation.variant?.(operation.example) ?? operation.input;
      if (!(schema instanceof z.ZodObject)) continue;
      const isExact = compileIsExact(schema);
      fc.assert(
        fc.property(almost(schema, operation.example), (value) => {
          if (isExact(value)) expect(givesBack(schema, value), operation.id).toBe(true);
        }),
        { numRuns: 200 },
      );
    }
  });

  test.for([
    ['text that is trimmed', z.string().trim(), ' a', false],
    ['a default that is filled in', z.object({ a: z.int().default(1) }), {}, false],
    ['a default behind an optional', z.object({ a: z.int().default(1).optional() }), {}, false],
    ['a default in the place of undefined', z.object({ a: z.int().default(1).optional() }), { a: undefined }, false],
    ['a default that was sent', z.object({ a: z.int().default(1) }), { a: 2 }, true],
    ['a coerced number', z.coerce.number(), '1', false],
    ['a required field that takes anything', z.object({ a: z.unknown() }), {}, false],
    ['a field of a strict object', z.strictObject({ a: z.int() }), { a: 1, b: 1 }, false],
    ['a refined object', z.object({ a: z.int() }).refine(({ a }) => a > 1), { a: 1 }, false],
    ['a list that is too short', z.array(z.int()).min(1), [], false],
    ['an optional field that is null', z.object({ a: z.string().nullish() }), { a: null }, true],
    ['a union of literals', z.union([z.literal('a'), z.literal('b')]), 'b', true],
  ] as const)('%s', ([, schema, value, expected]) => {
    expect(compileIsExact(schema)(value)).toBe(expected);
    expect(givesBack(schema, value)).toBe(expected);
  });
});

// Risk: an error does not name the rejected field and the reason, is as long as the input, or is malformed text.
import { bankTransactionInput, metadata } from '@finhook/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pathOf, pointerOf, toFieldErrors, truncate } from './field-errors.ts';

function faults(schema: z.ZodType, value: unknown): [string, string, string][] {
  const result = schema.safeParse(value);
  return result.success
    ? []
    : toFieldErrors(result.error.issues, value, () => false).map(({ pointer, code, message }) => [
        pointer,
        code,
        message,
      ]);
}

const row = { external_id: 'x', posted_at: '2026-03-01T00:00:00Z', amount_cents: 1 };

test.each([
  [{ ...row, external_id: undefined }, '/external_id', 'required'],
  [{ ...row, external_id: null }, '/external_id', 'required'],
  [{ ...row, external_id: 5 }, '/external_id', 'invalid_type'],
  [{ ...row, external_id: '' }, '/external_id', 'too_short'],
  [{ ...row, external_id: 'x'.repeat(256) }, '/external_id', 'too_long'],
  [{ ...row, external_id: 'a\0b' }, '/external_id', 'invalid_format'],
  [{ ...row, amount_cents: '5' }, '/amount_cents', 'invalid_type'],
  [{ ...row, amount_cents: 1.5 }, '/amount_cents', 'not_an_integer'],
  [{ ...row, amount_cents: 2 ** 53 }, '/amount_cents', 'out_of_range'],
  [{ ...row, amount_cents: -(2 ** 60) }, '/amount_cents', 'out_of_range'],
  [{ ...row, amount_cents: Infinity }, '/amount_cents', 'out_of_range'],
  [{ ...row, posted_at: '2026-03-01' }, '/posted_at', 'timezone_required'],
  [{ ...row, posted_at: 'yesterday' }, '/posted_at', 'invalid_date'],
  [{ ...row, currency: 'XXX' }, '/currency', 'currency_unknown'],
  [[], '', 'invalid_type'],
])('%o is reported as %s %s', (value, pointer, code) => {
  expect(faults(bankTransactionInput, value).map(([at, name]) => [at, name])).toEqual([[pointer, code]]);
});

test('each error is a sentence with the rule and what was sent', () => {
  const schema = z.object({
    kind: z.enum(['a', 'b']),
    list: z.array(z.int()).max(2),
    none: z.array(z.int()).min(1),
    day: z.iso.date(),
    size: z.int().min(1).max(9),
    waits: z.array(z.int()),
    fee_cents: z.int(),
  });
  const value = { kind: 'c', list: [1, 2, 3], none: [], day: 'x', size: 10, waits: [1, 1.5], fee_cents: 0.5 };
  expect(faults(schema, value)).toEqual([
    ['/kind', 'enum_unknown', 'must be one of a, b; got "c"'],
    ['/list', 'too_many', 'must be at most 2 entries long; got [1,2,3]'],
    ['/none', 'too_few', 'must be at least 1 entries long; got []'],
    ['/day', 'invalid_date', 'has an invalid format; got "x"'],
    ['/size', 'out_of_range', 'must be at most 9; got 10'],
    ['/waits/1', 'not_an_integer', 'must be a whole number; got 1.5'],
    ['/fee_cents', 'not_an_integer', 'must be a whole number of minor units; got 0.5'],
  ]);
});

test.each([
  [z.enum(['a', 'b'])],
  [z.literal('a')],
  [z.union([z.string(), z.number()])],
  [z.discriminatedUnion('op', [z.object({ op: z.literal('a') })])],
])('a value of any kind that is absent or null is required', (schema) => {
  for (const value of [{}, { field: null }])
    expect(faults(z.object({ field: schema }), value)).toEqual([['/field', 'required', 'is required']]);
});

test('the value in a message is truncated to 64 characters', () => {
  const [[, , message] = ['', '', '']] = faults(z.object({ a: z.int() }), { a: 'x'.repeat(500) });
  expect(message).toBe(`must be of type number; got "${'x'.repeat(63)}…`);
});

test('an invalid key is reported alone, without its neighbours', () => {
  const [[, , message] = ['', '', '']] = faults(z.object({ metadata }), { beside: 'x', metadata: { 'a\0': 'v' } });
  expect(message).toBe('must not contain NUL or unpaired surrogates; got "a\\u0000"');
});

test('an invalid key of a record points at the key, an invalid value at the value', () => {
  expect(
    faults(z.object({ metadata }), { metadata: { ['k'.repeat(41)]: 'v', ok: 5 } }).map(([at, name]) => [at, name]),
  ).toEqual([
    [`/metadata/${'k'.repeat(41)}`, 'too_long'],
    ['/metadata/ok', 'invalid_type'],
  ]);
});

test('a pointer leads back to its place (RFC 6901)', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.nat())), (path) => {
      expect(pathOf(pointerOf(path))).toEqual(path.map(String));
    }),
  );
});

test('names up to a hundred characters are whole, longer ones are cut', () => {
  expect(pointerOf(['totals', 'k'.repeat(100), 3])).toBe(`/totals/${'k'.repeat(100)}/3`);
  expect(pointerOf(['totals', '/'.repeat(1_000_000), 3])).toBe(`/totals/${'~1'.repeat(100)}…/3`);
});

test('messages are well-formed text of limited length for any input', () => {
  const anything = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 80 }), (text, max) => {
      const shown = truncate(text, max);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(max + 1);
      if (text.isWellFormed() && text.length <= max) expect(shown).toBe(text);
    }),
  );
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['a😀', 2, 'a\ufffd…'],
  ['a\ud83d', 5, 'a\ufffd'],
])('%j of at most %i is shown as %j', (text, max, shown) => expect(truncate(text, max)).toBe(shown));

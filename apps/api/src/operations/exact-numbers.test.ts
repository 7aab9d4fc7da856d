// Risk: an amount changes on its way from the request's text to the input of its verb.
import { type FieldError, type Operation, operations } from '@finhook/contracts';
import { DomainError, parseJson } from '@finhook/core';
import { describe, expect, test } from 'vitest';
import { createInputParser } from './parse-input.ts';

const row = '"external_id":"t","posted_at":"2026-03-01T00:00:00Z"';
const snapshot = '"statement_type":"balance","period_end":"2026-03-01","currency":"USD"';
const { bank, cash, financials } = operations;

/** Where an operation takes an amount, and a body with a literal in that place. */
const places: [operation: Operation, pointer: string, body: (literal: string) => string][] = [
  [
    bank.transactions.ingest,
    '/transactions/0/amount_cents',
    (at) => `{"transactions":[{${row},"amount_cents":${at}}]}`,
  ],
  [
    cash.balances.upsert,
    '/balance_cents',
    (at) => `{"as_of":"2026-03-01","connection_id":"c","currency":"USD","balance_cents":${at}}`,
  ],
  [
    financials.snapshots.upsert,
    '/line_items/0/amount_cents',
    (at) => `{${snapshot},"line_items":[{"key":"k","label":"l","amount_cents":${at}}]}`,
  ],
];
const total = (literal: string) => `{${snapshot},"totals":{"cash":${literal}}}`;

/** The value that the verb gets at a place, or the errors of the request. */
function read(operation: Operation, pointer: string, body: string): unknown {
  const { value, inexact } = parseJson(`{"company_id":"c",${body.slice(1)}`);
  try {
    const { input, rows } = createInputParser(operation)(value, inexact);
    if (rows && rows.rejected.length > 0) return codesOf(rows.rejected);
    return pointer
      .split('/')
      .slice(1)
      .reduce((at: unknown, name) => Reflect.get(Object(at), name), input);
  } catch (error) {
    if (error instanceof DomainError) return codesOf(error.fields);
    throw error;
  }
}

const codesOf = (errors: readonly Pick<FieldError, 'pointer' | 'code'>[]) =>
  errors.map(({ pointer, code }) => [pointer, code]);

const accepted: [string, number][] = [
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['12.0', 12],
  ['1e2', 100],
  ['1.5e1', 15],
  ['120E-1', 12],
  ['0', 0],
  ['0e99', 0],
];
const beyond =
  '9007199254740992 9007199254740993 -9007199254740992 9007199254740993.0 1e400 -1e400 1e16 123456789012345678';
const rejected: Record<string, string[]> = {
  out_of_range: beyond.split(' '),
  not_an_integer: ['12.5', '1e-1', '1.00000000000000000001', '4503599627370496.3', '1e-400'],
  invalid_type: ['"12"', 'true', '[1]', '{}'],
  required: ['null'],
};

describe.each(places)('$0.id', (operation, pointer, body) => {
  test('an exact integer is kept in every notation', () => {
    expect(accepted.map(([literal]) => read(operation, pointer, body(literal)))).toEqual(
      accepted.map(([, value]) => value),
    );
  });

  test.each(Object.entries(rejected))(
    'what a double would round or is no integer has one error: %s',
    (code, literals) => {
      for (const literal of literals)
        expect([literal, read(operation, pointer, body(literal))]).toEqual([literal, [[pointer, code]]]);
    },
  );
});

test('a total is a finite number that a double represents', () => {
  const kept = '1e300 -1e300 1.7976931348623157e308 9007199254740994 1e23 0.1 10.10 0.10000000000000001 5e-324'.split(
    ' ',
  );
  const lost =
    '1e400 -1e400 9007199254740993 -9007199254740993.0 0.1234567890123456789 1.00000000000000000001 1e-400 3e-324';
  const readTotal = (literal: string) => read(financials.snapshots.upsert, '/totals/cash', total(literal));
  expect(kept.map(readTotal)).toEqual(kept.map(Number));
  for (const literal of lost.split(' ')) expect(readTotal(literal)).toEqual([['/totals/cash', 'out_of_range']]);
});

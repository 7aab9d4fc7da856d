// Risk: a verb gets an input of another shape than its schema, or an error has the wrong pointer.
import {
  type FieldError,
  keyLimit,
  type Operation,
  operationList,
  operations,
  payloadFilter,
} from '@finhook/contracts';
import { DomainError, parseJson } from '@finhook/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unwrapSchema } from './fast-validate.ts';
import { createInputParser, type ParsedInput } from './parse-input.ts';

function parse(operation: Operation, text: string): ParsedInput {
  const { value, inexact } = parseJson(text);
  return createInputParser(operation)(value, inexact);
}

function errorsOf(operation: Operation, text: string): FieldError[] {
  try {
    parse(operation, text);
  } catch (error) {
    if (error instanceof DomainError) return [...error.fields];
    throw error;
  }
  return [];
}

const { ingest } = operations.bank.transactions;
const { create } = operations.companies;
const row = '{"external_id":"a","posted_at":"2026-03-01T00:00:00Z","amount_cents":1}';

test('a rejected field is not also reported as ignored', () => {
  const sent = '{"endpoint_id":"we_1","since":"2026-03-01T00:00:00Z","dry_run":true}';
  const { recover } = operations.webhookEndpoints;
  expect(errorsOf(recover, sent)).toMatchObject([{ pointer: '/dry_run', code: 'unknown_field' }]);
  expect(warningsOf(recover, sent)).toBeUndefined();
});

test('the example of every operation is a valid input', () => {
  for (const operation of operationList) {
    const ids = Object.fromEntries([...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
    const { input, warnings, rows } = createInputParser(operation)({ ...ids, ...operation.example }, []);
    expect(input, operation.id).toMatchObject(ids);
    expect([warnings, rows]).toEqual([[], undefined]);
  }
});

function warningsOf(operation: Operation, text: string): unknown {
  try {
    return parse(operation, text).warnings;
  } catch (error) {
    if (error instanceof DomainError) return error.extra['warnings'];
    throw error;
  }
}

test('an error lists unknown fields too, with a suggestion', () => {
  const { upsert } = operations.cash.balances;
  const sent = '{"company_id":"c","as_of":"2026-03-01","currency":"USD","balance":12,"note":1}';
  expect(errorsOf(upsert, sent).map(({ pointer, code }) => [pointer, code])).toEqual([['/balance_cents', 'required']]);
  expect(warningsOf(upsert, sent)).toEqual([
    {
      code: 'unknown_field',
      pointer: '/balance',
      message: 'balance is not a field of this request and was ignored. Did you mean balance_cents?',
    },
    { code: 'unknown_field', pointer: '/note', message: 'note is not a field of this request and was ignored.' },
  ]);
  expect(warningsOf(upsert, '{"company_id":"c"}')).toBeUndefined();
});

describe('rows', () => {
  test('valid rows keep their indexes, invalid ones are reported with theirs', () => {
    const { input, rows } = parse(ingest, `{"company_id":"c","transactions":[5,${row},{},${row}]}`);
    expect(input).toMatchObject({ company_id: 'c', transactions: [{ external_id: 'a' }, { external_id: 'a' }] });
    expect(rows?.indexes).toEqual([1, 3]);
    expect(rows?.rejected.map(({ index, pointer, code }) => [index, pointer, code])).toEqual([
      [0, '/transactions/0', 'invalid_type'],
      [2, '/transactions/2/external_id', 'required'],
      [2, '/transactions/2/posted_at', 'required'],
      [2, '/transactions/2/amount_cents', 'required'],
    ]);
  });

  test('an invalid single row is a batch of one, reported with its own pointers', () => {
    const { input, rows } = parse(ingest, '{"company_id":"c","on_error":"skip","amount_cents":1.5,"external_id":"a"}');
    expect(input).toEqual({ company_id: 'c', on_error: 'skip', transactions: [] });
    expect(rows?.indexes).toEqual([]);
    expect(rows?.rejected.map(({ index, pointer, code }) => [index, pointer, code])).toEqual([
      [0, '/posted_at', 'required'],
      [0, '/amount_cents', 'not_an_integer'],
    ]);
    expect(errorsOf(ingest, '{"company_id":"c","on_error":"maybe"}').map(({ pointer }) => pointer)).toContain(
      '/on_error',
    );
  });

  test('an error outside of the rows rejects the request', () => {
    const errors = errorsOf(ingest, `{"company_id":"c","on_error":"maybe","transactions":[{}]}`);
    expect(errors.map(({ pointer }) => pointer)).toContain('/on_error');
  });

  test('a rounded number is one error of its row, not two', () => {
    const { rows } = parse(ingest, `{"company_id":"c","transactions":[${row.replace(':1}', ':9007199254740993}')}]}`);
    expect(rows?.rejected).toMatchObject([{ index: 0, pointer: '/transactions/0/amount_cents', code: 'out_of_range' }]);
    expect(rows?.rejected).toHaveLength(1);
  });

  test('only a batch without rows is an empty batch, any other list has too few entries', () => {
    const codes = (operation: Operation, text: string) =>
      errorsOf(operation, text).map(({ pointer, code }) => [pointer, code]);
    expect(codes(ingest, '{"company_id":"c","transactions":[]}')).toEqual([['/transactions', 'empty_batch']]);
    const narrowed = '{"name":"k","scope":"read","company_ids":[],"permissions":[]}';
    expect(codes(operations.apiKeys.create, narrowed)).toEqual([
      ['/company_ids', 'too_few'],
      ['/permissions', 'too_few'],
    ]);
  });

  test('the size is checked before anything else', () => {
    const many = (length: number): string =>
      `{"transactions":[${Array.from({ length }, () => '0').join(',')}],"amount_cents":1}`;
    expect(() => parse(ingest, many(501))).toThrow(
      expect.objectContaining({ code: 'batch_too_large', extra: { limit: 500, received: 501 } }),
    );
    expect(errorsOf(ingest, many(500))).toMatchObject([{ pointer: '/amount_cents', code: 'ambiguous_body' }]);
  });
});

test('a rounded number is an error only in a stored field', () => {
  expect(errorsOf(create, '{"name":"x","wire_approval_threshold_cents":9007199254740993}')).toMatchObject([
    { pointer: '/wire_approval_threshold_cents', code: 'out_of_range' },
  ]);
  const { warnings } = parse(create, '{"name":"x","provider":{"id":9007199254740993}}');
  expect(warnings).toMatchObject([{ code: 'unknown_field', pointer: '/provider' }]);
});

test('a fraction in free JSON is read as the nearest double; an integer there keeps its digits', () => {
  const action = (input: string) => `{"agent_id":"a","company_id":"c","type":"fx","input":{"at":${input}}}`;
  expect(errorsOf(operations.agentActions.create, action('0.3333333333333333333333333333'))).toEqual([]);
  expect(errorsOf(operations.agentActions.create, action('9007199254740993'))).toMatchObject([
    { pointer: '/input/at', code: 'out_of_range' },
  ]);
});

test.each([
  ['a value of another type', ingest, `{"company_id":"c",${row.slice(1, -1)},"connection_id":[]}`, '/connection_id'],
  [
    'an empty list',
    operations.webhookEndpoints.create,
    '{"url":"https://example.com","signature_versions":[]}',
    '/signature_versions',
  ],
])('a field has one error, however many rules it breaks: %s', (_name, operation, text, pointer) => {
  const errors = operation === ingest ? parse(ingest, text).rows?.rejected : errorsOf(operation, text);
  expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
});

/** The value, and how often a property of anything in it was read. */
function countLooks(value: unknown): { counted: unknown; looks: () => number } {
  let looks = 0;
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const get = (target: object, name: string | symbol): unknown => {
      looks += 1;
      return wrap(Reflect.get(target, name));
    };
    return new Proxy(inner, { get });
  };
  return { counted: wrap(value), looks: () => looks };
}

describe('a body full of invalid entries', () => {
  const entries = (count: number, entry: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => entry(i)).join(',');
  const snapshot = '"company_id":"c","statement_type":"balance","period_end":"2026-01-01","currency":"USD"';
  const { upsert } = operations.financials.snapshots;

  test.each([
    ['totals', upsert, `{${snapshot},"totals":{${entries(1_000, (i) => `"${i}":""`)}}}`, '/totals'],
    ['metadata', create, `{"name":"x","metadata":{${entries(1_000, (i) => `"${i}":0`)}}}`, '/metadata'],
    [
      'headers',
      operations.webhookEndpoints.create,
      `{"url":"x","headers":{${entries(1_000, (i) => `" ${i}":0`)}}}`,
      '/headers',
    ],
    [
      'permissions',
      operations.apiKeys.create,
      `{"name":"x","scope":"human","permissions":[${entries(49_000, () => '0')}]}`,
      '/permissions',
    ],
    [
      'filter',
      operations.webhookEndpoints.create,
      `{"url":"https://example.com","filter":${[10, 8, 8].reduce(
        (inner, count) => `{"op":"any","of":[${entries(count, () => inner)}]}`,
        `{"op":"in","field":"","value":[${entries(30, () => '[]')}]}`,
      )}}`,
      '/filter',
    ],
  ])('is rejected in time that is linear in its length: %s', (_name, operation, text, pointer) => {
    const { value, inexact } = parseJson(text);
    const { counted, looks } = countLooks(value);
    expect(() => createInputParser(operation)(counted, inexact)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
    expect(looks()).toBeLessThan(2 * text.length);
    expect(errorsOf(operation, text).every((error) => error.pointer.startsWith(pointer))).toBe(true);
  });

  test('a hundred errors are reported, and that the list is truncated', () => {
    const errors = errorsOf(upsert, `{${snapshot},"line_items":[${entries(1_000, () => '{}')}]}`);
    expect(errors).toHaveLength(101);
    expect(() => parse(upsert, `{${snapshot},"line_items":[${entries(1_000, () => '{}')}]}`)).toThrow(
      'more than 100 faults',
    );
  });

  test.each([100, 101, 102, 103])('of %i totals, __proto__ among them, those are taken that fit', (count) => {
    const keys = ['__proto__', ...Array.from({ length: count - 1 }, (_, i) => `k${i}`)];
    const text = `{${snapshot},"totals":{${keys.map((key) => `"${key}":1`).join(',')}}}`;
    const expected = count > 101 ? [expect.objectContaining({ pointer: '/totals', code: 'too_many' })] : [];
    expect(errorsOf(upsert, text)).toEqual(expected);
  });

  test('lists and open records of every operation are counted before their entries are parsed', () => {
    const uncounted = (schema: z.core.$ZodType, depth: number): boolean => {
      const inner = unwrapSchema(schema);
      if (inner instanceof z.ZodArray) {
        const isCounted = inner.def.checks?.some((check) => check instanceof z.core.$ZodCheckMaxLength) ?? false;
        return !isCounted || uncounted(inner.element, depth + 1);
      }
      if (inner instanceof z.ZodRecord) return depth !== 1 || keyLimit(inner) === undefined;
      return inner instanceof z.ZodObject && Object.values(inner.shape).some((field) => uncounted(field, depth + 1));
    };
    const found = operationList.filter(({ input, variant, example }) => uncounted(variant?.(example) ?? input, 0));
    expect(found.map(({ id }) => id)).toEqual([]);
  });

  test('but in payload filters, which are counted as a whole, no lists in lists have room for a flood', () => {
    const room = (schema: z.core.$ZodType): number => {
      const inner = unwrapSchema(schema);
      if (inner === payloadFilter) return 1;
      if (inner instanceof z.ZodArray) {
        const most = inner.def.checks?.find((check) => check instanceof z.core.$ZodCheckMaxLength)?._zod.def.maximum;
        return (most ?? Number.POSITIVE_INFINITY) * room(inner.element);
      }
      if (inner instanceof z.ZodUnion) return Math.max(...inner.options.map(room));
      if (!(inner instanceof z.ZodObject)) return 1;
      return Object.values(inner.shape).reduce((sum: number, field) => sum + room(field), 1);
    };
    const found = operationList.filter(({ input, variant, example }) => room(variant?.(example) ?? input) > 10_000);
    expect(found.map(({ id }) => id)).toEqual([]);
  });
});

test('a body of thousands of rounded numbers is rejected', () => {
  const items = Array.from({ length: 40_000 }, () => '{"key":"k","label":"l","amount_cents":9007199254740993}').join(
    ',',
  );
  const { value, inexact } = parseJson(
    `{"company_id":"c","statement_type":"balance","period_end":"2026-01-01","currency":"USD","line_items":[${items}]}`,
  );
  const parser = createInputParser(operations.financials.snapshots.upsert);
  // Effort that grows with the square of their number would take longer than a test may.
  expect(() => parser(value, inexact)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('numbers in ignored fields do not hide errors of stored ones', () => {
  const body = (count: number): string =>
    `{"ids":[${Array(count).fill('1e999').join()}],"name":"x","wire_approval_threshold_cents":1.00000000000000000001}`;
  expect(errorsOf(create, body(4_999))).toMatchObject([{ pointer: '/wire_approval_threshold_cents' }]);
  expect(errorsOf(create, body(5_001))).toMatchObject([{ pointer: '', message: expect.stringContaining('5000') }]);
});

test('an impossible id becomes the empty id', () => {
  const parser = createInputParser(operations.cash.balances.get);
  for (const impossible of ['\0', 'x'.repeat(256), '\ud800']) {
    expect(parser({ company_id: 'co', balance_id: impossible }, []).input).toEqual({
      company_id: 'co',
      balance_id: '',
    });
  }
  expect(parser({ company_id: 'x'.repeat(255), balance_id: '💸' }, []).input).toEqual({
    company_id: 'x'.repeat(255),
    balance_id: '💸',
  });
});

test('__proto__ is a key like any other in an open record, and its value is checked', () => {
  const { input } = parse(create, '{"name":"x","metadata":{"__proto__":"v","constructor":"w"}}');
  const { metadata } = z.object({ metadata: z.unknown() }).parse(input);
  expect(Object.entries(Object(metadata)).sort()).toEqual([
    ['__proto__', 'v'],
    ['constructor', 'w'],
  ]);
  expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  expect(errorsOf(create, '{"name":"x","metadata":{"__proto__":{"a":1}}}')).toMatchObject([
    { pointer: '/metadata/__proto__', code: 'invalid_type' },
  ]);
});

test('__proto__ in the body adds no inherited field', () => {
  const { input } = parse(create, '{"name":"x","__proto__":{"base_currency":"EUR"}}');
  expect(Object.keys(Object(input))).toEqual(['name']);
  expect(Reflect.get(Object(input), 'base_currency')).toBeUndefined();
});

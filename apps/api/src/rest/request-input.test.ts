// Risk: a parameter is converted to the wrong type, or a body overrides the path.
import { operationList, operations, pathParameters } from '@finhook/contracts';
import { parseJson } from '@finhook/core';
import { expect, test } from 'vitest';
import { createBodyReader, createQueryReader } from './request-input.ts';

const { list } = operations.bank.transactions;
const { ingest } = operations.bank.transactions;
const { balances } = operations.cash;
const read = createQueryReader(list, list.http);

test('numbers and booleans are read as such, text stays text', () => {
  expect(read({ limit: '7', min_amount_cents: '-250', q: '7', external_id: 'true' })).toEqual({
    limit: 7,
    min_amount_cents: -250,
    q: '7',
    external_id: 'true',
  });
  const latest = createQueryReader(balances.list, balances.list.http);
  expect(['true', 'false', 'TRUE', '1', ''].map((text) => latest({ latest: text })['latest'])).toEqual([
    true,
    false,
    'TRUE',
    '1',
    '',
  ]);
});

test('a parameter of several values is a list, also of one, and another may not be repeated', () => {
  expect(read({ categories: 'a,b', connection_ids: ['one', '2'] })).toEqual({
    categories: ['a,b'],
    connection_ids: ['one', '2'],
  });
  expect(() => read({ category: ['a', 'b'] })).toThrow('more than once');
});

test('text that is not a plain number stays text for the schema to reject', () => {
  for (const text of ['', ' ', '1e2', '0x10', 'NaN', 'Infinity', '--1', '1.', '.5', '1,000', '١']) {
    expect(read({ limit: text })).toEqual({ limit: text });
  }
});

test('an unknown or repeated parameter is rejected with the known names', () => {
  expect(() => read({ limti: '5' })).toThrow(/limti is unknown. This operation takes limit, after, .*q, .*format\./);
  expect(() => read({ limit: ['5', '6'] })).toThrow('limit is given more than once');
  expect(() => read(JSON.parse('{"__proto__":"x"}'))).toThrow('__proto__ is unknown');
  expect(() => read({ constructor: 'x' })).toThrow('constructor is unknown');
});

test('path parameters and body fields are not query parameters', () => {
  expect(() => read({ company_id: 'co_other' })).toThrow('company_id is unknown');
  const write = createQueryReader(ingest, ingest.http);
  expect(write({ on_error: 'skip' })).toEqual({ on_error: 'skip' });
  expect(() => write({ transactions: '[]' })).toThrow('This operation takes on_error, dry_run, match, on_duplicate.');
  const [alias] = operations.deliveries.list.http.aliases;
  expect(() => createQueryReader(operations.deliveries.list, alias)({ endpoint_id: 'x' })).toThrow(
    'endpoint_id is unknown',
  );
  expect(createQueryReader(operations.deliveries.list, operations.deliveries.list.http)({ endpoint_id: 'x' })).toEqual({
    endpoint_id: 'x',
  });
});

test('pathParameters returns the names between braces', () => {
  expect(pathParameters('/companies/{company_id}/cash/balances/{balance_id}')).toEqual(['company_id', 'balance_id']);
  expect(pathParameters('/me')).toEqual([]);
});

const writes = operationList
  .flatMap((operation) => [operation.http, ...(operation.http.aliases ?? [])].map((route) => ({ operation, route })))
  .filter(({ route }) => route.method !== 'GET');

test.each(writes)('path and query parameters of $route.method $route.path are ignored in its body', (write) => {
  const { operation, route } = write;
  // A `dry_run` in the body is an error instead, because ignoring it would store the rows.
  const inQuery = (operation.http.query ?? []).filter((name) => name !== 'dry_run');
  const names = [...pathParameters(route.path), ...inQuery];
  const body = parseJson(
    `{"amount_cents":9007199254740993,${names.map((name) => `"${name}":[9007199254740993],`).join('')}"a":1}`,
  );
  const { value, inexact, warnings } = createBodyReader(operation, route)(body);
  expect(value).toEqual({ amount_cents: 2 ** 53, a: 1 });
  expect(inexact.map(({ pointer }) => pointer)).toEqual(['/amount_cents']);
  expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual(
    names.map((name) => ['unknown_field', `/${name}`]),
  );
});

test('a body that is not an object is passed on for the schema to reject', () => {
  for (const value of [[], 'x', null]) {
    const body = { value, inexact: [] };
    expect(createBodyReader(ingest, ingest.http)(body)).toEqual({ ...body, warnings: [] });
  }
});

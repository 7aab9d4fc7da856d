// Risk: a body contradicts the address it is sent to, and its sender believes that the body was followed.
import { operationList, operations, pathParameters } from '@finhook/contracts';
import { parseJson } from '@finhook/core';
import { expect, test } from 'vitest';
import { createBodyReader } from './request-input.ts';

const writes = operationList
  .flatMap((operation) => [operation.http, ...(operation.http.aliases ?? [])].map((route) => ({ operation, route })))
  .filter(({ route }) => route.method !== 'GET');

test.each(writes)('D12: what is in path or query of $route.method $route.path is no field of its body', (write) => {
  const { operation, route } = write;
  const names = [...pathParameters(route.path), ...(operation.http.query ?? [])];
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

test('a body that is no object stays what it is, for the schema to reject', () => {
  const { ingest } = operations.bank.transactions;
  for (const value of [[], 'x', null]) {
    const body = { value, inexact: [] };
    expect(createBodyReader(ingest, ingest.http)(body)).toEqual({ ...body, warnings: [] });
  }
});

// Risk: a body contradicts the address it is sent to, and its sender believes that the body was followed.
import { operationList } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { parseJson } from '../http/parse-json.ts';
import { createBodyReader } from './body-fields.ts';
import { pathParameters } from './query-input.ts';

const writes = operationList
  .flatMap(({ http }) => [http, ...(http.aliases ?? [])])
  .filter(({ method }) => method !== 'GET');

test.each(writes)('D12: what stands in the path of $method $path is no field of its body', (route) => {
  const names = pathParameters(route.path);
  const body = parseJson(
    `{"amount_cents":9007199254740993,${names.map((name) => `"${name}":[9007199254740993],`).join('')}"a":1}`,
  );
  const { value, inexact, warnings } = createBodyReader(route)(body);
  expect(value).toEqual({ amount_cents: 2 ** 53, a: 1 });
  expect(inexact.map(({ pointer }) => pointer)).toEqual(['/amount_cents']);
  expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual(
    names.map((name) => ['unknown_field', `/${name}`]),
  );
});

test('a body that is no object stays what it is, for the schema to refuse', () => {
  const [route] = writes;
  if (!route) throw new Error('There are no writes.');
  for (const value of [[], 'x', null]) {
    expect(createBodyReader(route)({ value, inexact: [] })).toEqual({ value, inexact: [], warnings: [] });
  }
});

// Risk: an example response of the reference is one that the service never returns.
import { type Operation, operationList } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { compileOpenApi } from '../../test/open-api-schemas.ts';
import { createOpenApiDocument } from '../rest/openapi/create-openapi-document.ts';
import { operationPage } from './operation-page.ts';

const schemas = compileOpenApi(JSON.parse(JSON.stringify(createOpenApiDocument())));
const withBody = operationList.filter(({ http }) => http.success !== 204);

test.each(withBody)('$id: the example response is valid', (operation: Operation) => {
  const page = operationPage(operation).markdown();
  const [, example = ''] = /## Example response\n\n```json\n([^]*?)\n```/.exec(page) ?? [];
  const { method, path, success } = operation.http;
  const place = { path, method, status: success, type: 'application/json' };
  expect(schemas.errorsOf(place, JSON.parse(example))).toBeUndefined();
});

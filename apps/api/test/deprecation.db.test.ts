// Risk: an operation or a field ends without notice to its users.
import { deprecatedField, type Operation, operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { referencePages } from '../scripts/reference.ts';
import { useApi } from './api-fixture.ts';

const { companies } = operations;
const list: Operation = {
  ...companies.list,
  deprecated: { since: '2027-01-31', sunset: '2028-02-01', successor: 'companies.search' },
};
const create: Operation = {
  ...companies.create,
  deprecatedFields: { legal_name: { since: '2027-03-01', successor: 'name' } },
};
const get: Operation = {
  ...companies.get,
  output: z
    .object({
      name: deprecatedField(companies.get.output.shape.name, { since: '2027-04-01', successor: 'legal_name' }),
    })
    .meta({ id: 'CompanyName' }),
};
const fixture = useApi({ operations: { ...operations, companies: { ...companies, list, create, get } } });

const LINK = '</docs/versions>; rel="deprecation"; type="text/html"';
const headersOf = async (method: string, path: string, options: { body?: object; key?: null } = {}) => {
  const { headers, status } = await fixture.client.send(method, `/api/v1${path}`, options);
  return [status, headers['deprecation'], headers['sunset'], headers['link']];
};

test('every response of a deprecated operation has Deprecation, Sunset and Link', async () => {
  const told = ['@1801353600', 'Tue, 01 Feb 2028 00:00:00 GMT', LINK];
  expect(await headersOf('GET', '/companies')).toEqual([200, ...told]);
  expect(await headersOf('GET', '/companies', { key: null })).toEqual([401, ...told]);
  expect(await headersOf('GET', '/companies?format=csv')).toEqual([200, ...told]);
  expect(await headersOf('GET', '/me')).toEqual([200, undefined, undefined, undefined]);
});

test('over tRPC too, in single calls and batches', async () => {
  for (const path of ['companies.list', 'me.get,companies.list?batch=1']) {
    const { status, headers } = await fixture.client.send('GET', `/trpc/${path}`);
    expect([status, headers['deprecation'], headers['link']]).toEqual([200, '@1801353600', LINK]);
  }
  expect((await fixture.client.send('GET', '/trpc/me.get')).headers['deprecation']).toBeUndefined();
});

test('a deprecated field is reported only to clients that send it', async () => {
  const withField = { body: { name: 'Acme', legal_name: 'Acme Inc' } };
  expect(await headersOf('POST', '/companies', withField)).toEqual([201, '@1803859200', undefined, LINK]);
  const without = await headersOf('POST', '/companies', { body: { name: 'Acme' } });
  expect(without).toEqual([201, undefined, undefined, undefined]);
});

test('openapi.json and the reference mark operations, fields of requests and of responses, and nothing else', async () => {
  const { text } = await fixture.client.send('GET', '/api/v1/openapi.json');
  const document = JSON.parse(text);
  expect(document.paths['/companies'].get).toMatchObject({
    deprecated: true,
    description: expect.stringMatching(
      /^Deprecated since 2027-01-31 and ends on 2028-02-01: use `companies\.search`\. /,
    ),
  });
  expect(document.components.schemas.CompaniesCreateBody.properties.legal_name).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('Deprecated since 2027-03-01: use `name`.'),
  });
  expect(document.components.schemas.CompanyName.properties.name).toMatchObject({
    deprecated: true,
    description: expect.stringMatching(/^Deprecated since 2027-04-01: use `legal_name`\. ./),
  });
  expect(text.match(/"deprecated":true/g)).toHaveLength(3);
  expect(text).toContain('"legal_name"');
  const page = referencePages([list, create])['operations.md'];
  expect(page).toContain('Deprecated since 2027-01-31 and ends on 2028-02-01: use `companies.search`.');
  expect(page).toContain('`legal_name`: Deprecated since 2027-03-01: use `name`.');
});

test('nothing is deprecated now', () => {
  expect(referencePages()['operations.md']).not.toContain('Deprecated');
});

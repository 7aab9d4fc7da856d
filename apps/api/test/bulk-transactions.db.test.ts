// Risk: a bulk change changes too many rows, because a part of the request was ignored.
import { operations } from '@finhook/contracts';
import { beforeAll, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
const { bank, companies } = operations;
let path: string;
beforeAll(async () => {
  const { client } = fixture;
  const { id } = (await client.rest(companies.create, { name: 'Bulk Inc' })).body;
  path = `/api/v1/companies/${id}/bank/transactions`;
  await client.rest(bank.transactions.ingest, {
    company_id: id,
    transactions: ['t1', 't2'].map((external_id) => ({
      external_id,
      posted_at: '2026-03-01T12:00:00Z',
      amount_cents: -1,
      category: 'rent',
    })),
  });
});

const change = (body: object) =>
  fixture.client.send<Record<string, unknown>>('POST', `${path}/bulk`, {
    body: { filter: { category: 'rent' }, set: { voided: true }, expected_count: 2, ...body },
  });
const voided = async () => {
  const { body } = await fixture.client.send<{ data: { voided_at: string | null }[] }>('GET', path);
  return body.data.filter(({ voided_at }) => voided_at !== null).length;
};

test.each([
  ['no filter', { filter: {} }, '/filter', 'too_few'],
  ['filters that are null', { filter: { category: null, q: null } }, '/filter', 'too_few'],
  [
    'a filter that does not exist',
    { filter: { category: 'rent', categroy: 'x' } },
    '/filter/categroy',
    'unknown_field',
  ],
  ['the order of the list', { filter: { category: 'rent', order: 'asc' } }, '/filter/order', 'unknown_field'],
  ['another company', { filter: { company_id: 'co_other' } }, '/filter/company_id', 'unknown_field'],
  ['a class without its month', { filter: { counted_as: 'counted' } }, '/filter/month', 'required'],
  ['nothing to set', { set: {} }, '/set', 'required'],
  [
    'a field to set that does not exist',
    { set: { voided: true, amount_cents: 1 } },
    '/set/amount_cents',
    'unknown_field',
  ],
  ['a class that does not exist', { set: { flow_class: 'investing' } }, '/set/flow_class', 'enum_unknown'],
  ['no number', { expected_count: null }, '/expected_count', 'required'],
  ['more than 50 000 rows', { expected_count: 50_001 }, '/expected_count', 'out_of_range'],
])('a request with %s is rejected with its place, and changes nothing', async (_, body, pointer, code) => {
  const response = await change(body);
  expect([response.status, response.body]).toMatchObject([422, { errors: [{ pointer, code }] }]);
  expect(await voided()).toBe(0);
});

test('a request for too many rows asks for a narrower filter', async () => {
  const { body } = await change({ expected_count: 50_001 });
  expect(body['errors']).toMatchObject([{ message: expect.stringContaining('narrow the filter') }]);
});

test('a wrong count is rejected with the right one, which then changes the rows', async () => {
  const { status, body } = await change({ expected_count: 1 });
  expect([status, body]).toMatchObject([409, { code: 'count_changed', count: 2 }]);
  expect(await voided()).toBe(0);
  expect(await change({ expected_count: Number(body['count']) })).toMatchObject({ status: 200, body: { updated: 2 } });
  expect(await voided()).toBe(2);
});

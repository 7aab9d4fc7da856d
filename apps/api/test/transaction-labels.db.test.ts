// Risk: a choice of categories or accounts lacks one that rows have, or a filter by several selects other rows.
import { operations } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
const { bank, companies, financials } = operations;
let company_id: string;

beforeEach(async () => {
  const { client } = fixture;
  company_id = (await client.rest(companies.create, { name: 'Labels Inc', timezone: 'UTC' })).body.id;
  const rows: [description: string, category: string | null, connection_id: string | null][] = [
    ['Rent', 'rent', 'operating'],
    ['Rent', 'rent', 'operating'],
    ['Lunch', 'meals', 'card'],
    ['UBER trip', 'meals', 'card'],
    ['Fee', null, null],
  ];
  const transactions = rows.map(([description, category, connection_id], i) => ({
    external_id: `t${i}`,
    posted_at: `2026-03-0${i + 1}T12:00:00Z`,
    amount_cents: -100,
    description,
    category,
    connection_id,
  }));
  const { body } = await client.rest(bank.transactions.ingest, { company_id, transactions });
  const flow_rules = [{ contains: 'uber', category: 'travel' }];
  await client.rest(financials.settings.update, { company_id, flow_rules });
  const transaction_id = body.transactions[0]?.id;
  await client.rest(bank.transactions.update, { company_id, transaction_id, category: 'office' });
});

const list = (input: object) => fixture.client.rest(bank.transactions.list, { company_id, ...input });
const idsOf = async (input: object) => (await list(input)).body.data.map(({ external_id }) => external_id);

test('labels are the categories and accounts that rows have by now, the most frequent first, for the filters too', async () => {
  expect((await list({ include: 'labels', limit: 1 })).body.labels).toEqual({
    categories: [
      { category: 'meals', transactions: 1 },
      { category: 'office', transactions: 1 },
      { category: 'rent', transactions: 1 },
      { category: 'travel', transactions: 1 },
    ],
    connections: [
      { connection_id: 'card', transactions: 2 },
      { connection_id: 'operating', transactions: 2 },
      { connection_id: null, transactions: 1 },
    ],
  });
  const ofMonth = { include: 'labels', month: '2026-03', connection_ids: ['operating', 'none'] };
  expect((await list(ofMonth)).body.labels).toEqual({
    categories: [
      { category: 'office', transactions: 1 },
      { category: 'rent', transactions: 1 },
    ],
    connections: [
      { connection_id: 'operating', transactions: 2 },
      { connection_id: null, transactions: 1 },
    ],
  });
  expect((await list({})).body).not.toHaveProperty('labels');
});

test.each([
  ['of one category', { categories: ['travel'] }, ['t3']],
  [
    'of several, by a person, by a rule and as posted',
    { categories: ['office', 'travel', 'meals'] },
    ['t3', 't2', 't0'],
  ],
  ['of several in a month', { categories: ['office', 'travel'], month: '2026-03' }, ['t3', 't0']],
  ['of accounts and without one', { connection_ids: ['card', 'none'] }, ['t4', 't3', 't2']],
  ['of both', { categories: ['meals', 'rent'], connection_ids: ['card'] }, ['t2']],
  ['of several and one', { categories: ['meals', 'rent'], category: 'rent' }, ['t1']],
])('rows %s are in the list, in its total and in the file', async (_, filter, expected) => {
  expect(await idsOf(filter)).toEqual(expected);
  expect((await list({ ...filter, include: 'total_count' })).body.total_count).toBe(expected.length);
  const file = await list({ ...filter, format: 'ndjson' });
  expect([...file.text.matchAll(/"external_id":"(\w+)"/g)].map(([, id]) => id)).toEqual(expected);
  const trpc = await fixture.client.trpc(bank.transactions.list, { company_id, ...filter });
  expect(trpc.body.data.map(({ external_id }) => external_id)).toEqual(expected);
});

test('a bulk change takes several, and a filter has at most 50', async () => {
  const change = { set: { voided: true }, expected_count: 3 };
  const { body } = await fixture.client.rest(bank.transactions.bulk, {
    company_id,
    filter: { categories: ['meals', 'travel', 'rent'] },
    ...change,
  });
  expect(body).toMatchObject({ count: 3, updated: 3 });
  const many = Array.from({ length: 51 }, (_, i) => `c${i}`);
  expect((await list({ categories: many })).problem).toMatchObject({ code: 'validation_failed' });
  expect((await list({ category: ['a', 'b'] })).problem.detail).toContain('more than once');
});

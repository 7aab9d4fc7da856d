// Risk: a corrected category is rejected, is missing in a list or file, or is taken back by the sender.
import { operations } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { parseCsv } from './parse-csv.ts';

const fixture = useApi();
const { bank, companies, financials } = operations;
let company_id: string;
let transaction_id: string;
beforeEach(async () => {
  const { client } = fixture;
  company_id = (await client.rest(companies.create, { name: 'Categories Inc', timezone: 'UTC' })).body.id;
  const row = { posted_at: '2026-03-01T12:00:00Z', amount_cents: -900, description: 'UBER trip', category: 'meals' };
  const { body } = await client.rest(bank.transactions.ingest, {
    company_id,
    transactions: [
      { ...row, external_id: 't1' },
      { ...row, external_id: 't2', description: 'Lunch' },
    ],
  });
  transaction_id = body.transactions.find(({ external_id }) => external_id === 't1')?.id ?? '';
});

const path = () => `/api/v1/companies/${company_id}/bank/transactions`;
const patch = (body: object) =>
  fixture.client.send<Record<string, unknown>>('PATCH', `${path()}/${transaction_id}`, { body });
const bulk = (set: object, filter: object = { category: 'meals' }, expected_count = 2) =>
  fixture.client.send<Record<string, unknown>>('POST', `${path()}/bulk`, { body: { filter, set, expected_count } });
const setRules = (...flow_rules: object[]) =>
  fixture.client.send<Record<string, unknown>>('PATCH', `/api/v1/companies/${company_id}/financials/settings`, {
    body: { flow_rules },
  });

test.each<[string, () => Promise<unknown>, object]>([
  ['a category of 100 characters', () => patch({ category: 'x'.repeat(100) }), { category: 'x'.repeat(100) }],
  [
    'a category and a class',
    () => patch({ category: 'travel', flow_class: 'excluded' }),
    { category: 'travel', posted_category: 'meals', category_reason: 'person', flow_class: 'excluded' },
  ],
  ['the posted category', () => patch({ category: 'meals' }), { category: 'meals', category_reason: 'person' }],
  [
    'null after a category',
    async () => (await patch({ category: 'travel' }), patch({ category: null })),
    { category: 'meals', category_reason: 'posted' },
  ],
  [
    'another field after a category',
    async () => (await patch({ category: 'travel' }), patch({ voided: true })),
    { category: 'travel', voided_at: expect.any(String) },
  ],
  ['a bulk change', () => bulk({ category: 'travel' }), { category: 'travel', category_reason: 'person' }],
  [
    'a rule',
    () => setRules({ contains: 'uber', category: 'travel' }),
    { category: 'travel', posted_category: 'meals', category_reason: 'rule' },
  ],
  [
    'a rule and a person',
    async () => (await setRules({ contains: 'uber', category: 'travel' }), patch({ category: 'gifts' })),
    { category: 'gifts', posted_category: 'meals', category_reason: 'person' },
  ],
])('%s is what the row, the list, its filter and both files have', async (_, change, expected) => {
  expect(await change()).toMatchObject({ status: 200 });
  const { client } = fixture;
  const { body } = await client.rest(bank.transactions.get, { company_id, transaction_id });
  expect(body).toMatchObject(expected);
  for (const filter of [{}, { category: body.category }]) {
    const input = { company_id, ...filter };
    const { data } = (await client.rest(bank.transactions.list, input)).body;
    expect(data.find(({ id }) => id === transaction_id)).toEqual(body);
    const ndjson = await client.rest(bank.transactions.list, { ...input, format: 'ndjson' });
    const lines = ndjson.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(expect.arrayContaining([body]));
    const csv = await client.rest(bank.transactions.list, { ...input, format: 'csv' });
    const [header = [], ...rows] = parseCsv(csv.text);
    const cells = rows.map((row) => Object.fromEntries(header.map(({ text }, i) => [text, row[i]?.text])));
    const { category: now, posted_category, category_reason } = body;
    expect(cells.find(({ id }) => id === transaction_id)).toMatchObject({
      category: now,
      posted_category,
      category_reason,
    });
  }
  if (body.category === 'meals') return;
  const others = (await client.rest(bank.transactions.list, { company_id, category: 'meals' })).body.data;
  expect(others.map(({ id }) => id)).not.toContain(transaction_id);
});

test.each<[string, () => Promise<{ status: number; body: Record<string, unknown> }>, string, string]>([
  ['an empty category', () => patch({ category: '' }), '/category', 'too_short'],
  ['101 characters', () => patch({ category: 'x'.repeat(101) }), '/category', 'too_long'],
  ['a number', () => patch({ category: 7 }), '/category', 'invalid_type'],
  ['a bulk change to 101 characters', () => bulk({ category: 'x'.repeat(101) }), '/set/category', 'too_long'],
  ['a bulk change of nothing', () => bulk({}), '/set', 'required'],
  ['a rule that sets nothing', () => setRules({ contains: 'uber' }), '/flow_rules/0', 'required'],
  [
    'a rule that sets null',
    () => setRules({ contains: 'uber', flow_class: null, category: null }),
    '/flow_rules/0',
    'required',
  ],
  [
    'a rule with an empty category',
    () => setRules({ contains: 'uber', category: '' }),
    '/flow_rules/0/category',
    'too_short',
  ],
])('%s is rejected with its place, and changes nothing', async (_, send, pointer, code) => {
  const response = await send();
  expect([response.status, response.body]).toMatchObject([422, { errors: [{ pointer, code }] }]);
  const { data } = (await fixture.client.rest(bank.transactions.list, { company_id })).body;
  expect(data.map(({ category, updated_at, created_at }) => [category, updated_at === created_at])).toEqual([
    ['meals', true],
    ['meals', true],
  ]);
});

test('settings return a rule as it was set, with the fields that it has', async () => {
  const rules = [
    { contains: 'uber', category: 'travel' },
    { contains: 'lunch', direction: 'out', flow_class: 'excluded', category: 'team' },
  ];
  const sent = [{ ...rules[0], direction: null, flow_class: null }, { ...rules[1] }];
  expect(await setRules(...sent)).toMatchObject({ status: 200 });
  const { body } = await fixture.client.rest(financials.settings.get, { company_id });
  expect(body.flow_rules).toEqual(rules);
});

test('a category is no class: a row of an account that does not count takes one', async () => {
  const { client } = fixture;
  const accounts = [{ connection_id: 'none', account_type: 'investment' }];
  await client.rest(financials.settings.update, { company_id, accounts });
  expect(await bulk({ category: 'bonds' })).toMatchObject({ status: 200, body: { updated: 2 } });
  expect(await bulk({ category: 'x', flow_class: 'counted' }, { category: 'bonds' })).toMatchObject({ status: 409 });
});

// Risk: the exported rows of a month do not add up to the figure on the dashboard.

import { operations } from '@finhook/contracts';
import { randomHistory } from '@finhook/core/test';
import { createTestRandom } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { parseCsv, valueOf } from './parse-csv.ts';

const fixture = useApi();
const classes = ['counted', 'financing', 'transfer', 'excluded'];

const accounts = [
  ...['operating', 'savings', 'card', 'escrow', 'broker', 'loan', undefined].map((id) => ({ id, currency: 'USD' })),
  ...['berlin', 'munich'].map((id) => ({ id, currency: 'EUR' })),
];

async function postCompany(seed: number): Promise<string> {
  const { client } = fixture;
  const timezone = ['Asia/Tokyo', 'America/New_York'][seed % 2];
  const company_id = (await client.rest(operations.companies.create, { name: 'Counted', timezone })).body.id;
  const settings = await client.rest(operations.financials.settings.update, {
    company_id,
    accounts: [
      { connection_id: 'card', account_type: 'credit_card' },
      { connection_id: 'escrow', account_type: 'restricted' },
      { connection_id: 'broker', account_type: 'investment' },
      { connection_id: 'loan', account_type: 'loan' },
    ],
    flow_rules: [
      { contains: 'brex card', direction: 'out', flow_class: 'transfer' },
      { contains: 'wire to founder', flow_class: 'financing' },
      { contains: 'invoice 7', category: 'Consulting' },
      { contains: 'landlord', direction: 'out', category: 'Office rent' },
    ],
    ...(seed % 2 === 0 ? { excluded_connections: ['none'] } : {}),
  });
  expect(settings.status).toBe(200);
  const random = createTestRandom(seed);
  const rows = randomHistory(random, Date.now(), accounts);
  for (let i = 0; i < rows.length; i += 500) {
    const transactions = rows.slice(i, i + 500);
    expect((await client.rest(operations.bank.transactions.ingest, { company_id, transactions })).status).toBe(201);
  }
  const { data } = (await client.rest(operations.bank.transactions.list, { company_id, limit: 200 })).body;
  for (const { id: transaction_id } of data.filter((_, i) => i % 8 === 0)) {
    const change = [{ voided: true }, { flow_class: classes[random.integer(4)] }, { category: 'Gifts & more' }][
      random.integer(3)
    ];
    const { status } = await client.rest(operations.bank.transactions.update, {
      company_id,
      transaction_id,
      ...change,
    });
    // An account that does not count has no classes.
    expect([200, 409]).toContain(status);
  }
  return company_id;
}

interface FileSums {
  /** By currency, the sums that `monthly` has. */
  sums: Record<string, Record<string, number>>;
  /** Money out in USD by category, as in the breakdown. */
  spent: Map<string | null, number>;
}

/** The sums of a month's file, by a reader of its own. */
async function addUp(company_id: string, month: string, reasons: Set<string>): Promise<FileSums> {
  const { text } = await fixture.client.rest(operations.bank.transactions.list, { company_id, month, format: 'csv' });
  const [header = [], ...rows] = parseCsv(text);
  const names = header.map((cell) => cell.text);
  const sums: FileSums['sums'] = {};
  const spent: FileSums['spent'] = new Map();
  for (const row of rows) {
    const cellOf = (name: string) => row[names.indexOf(name)] ?? { text: '', quoted: false };
    const counted = Object(valueOf(cellOf('counted_as'), 'json'));
    if (counted.flow_class === undefined) continue;
    reasons.add(counted.flow_reason);
    const cents = Number(cellOf('amount_cents').text);
    const isCounted = counted.flow_class === 'counted' || (counted.flow_class === 'financing' && cents < 0);
    reasons.add(`category: ${cellOf('category_reason').text}`);
    const label =
      cellOf('category')
        .text.toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('_') ?? null;
    if (isCounted && cents < 0 && cellOf('currency').text === 'USD') spent.set(label, (spent.get(label) ?? 0) - cents);
    const field = `${isCounted ? 'money' : 'excluded'}_${cents > 0 ? 'in' : 'out'}_cents`;
    const sum = (sums[cellOf('currency').text] ??= {
      money_in_cents: 0,
      money_out_cents: 0,
      excluded_in_cents: 0,
      excluded_out_cents: 0,
      transactions: 0,
    });
    sum[field] = (sum[field] ?? 0) + Math.abs(cents);
    sum['transactions'] = (sum['transactions'] ?? 0) + 1;
  }
  return { sums, spent };
}

test.each([1, 2])('the exported rows of each of twelve months add up to its figures (seed %i)', async (seed) => {
  const company_id = await postCompany(seed);
  const reasons = new Set<string>();
  const currencies = new Set<string>();
  const { body } = await fixture.client.rest(operations.financials.monthly, { company_id, months: 12 });
  expect(body.months).toHaveLength(12);
  for (const { month, flows } of body.months) {
    const { sums, spent } = await addUp(company_id, month, reasons);
    const breakdown = { company_id, by: 'category', from: month, to: month, currency: 'USD', compare: 'none' } as const;
    const { rows } = (await fixture.client.rest(operations.financials.breakdown, breakdown)).body;
    expect(new Map(rows.map(({ key, total_cents }) => [key, total_cents]))).toEqual(spent);
    const figures = flows
      .filter(({ transactions }) => transactions > 0)
      .map(({ currency, money_in_cents, money_out_cents, excluded_in_cents, excluded_out_cents, transactions }) => [
        currency,
        { money_in_cents, money_out_cents, excluded_in_cents, excluded_out_cents, transactions },
      ]);
    expect([month, sums]).toEqual([month, Object.fromEntries(figures)]);
    expect(Object.keys(sums), month).not.toEqual([]);
    for (const currency of Object.keys(sums)) currencies.add(currency);
  }
  expect(currencies).toEqual(new Set(['USD', 'EUR']));
  expect([...reasons].toSorted()).toEqual(
    expect.arrayContaining([
      'account',
      'category',
      'default',
      'large_inflow',
      'pair',
      'person',
      'rule',
      'category: person',
      'category: rule',
      'category: posted',
      'category: ',
    ]),
  );
});

test('without a month the class is an empty cell, and a class without a month is 422', async () => {
  const company_id = await postCompany(3);
  const { text } = await fixture.client.rest(operations.bank.transactions.list, { company_id, format: 'csv' });
  const [header = [], ...rows] = parseCsv(text);
  const column = header.findIndex((cell) => cell.text === 'counted_as');
  expect(new Set(rows.map((row) => row[column]?.text))).toEqual(new Set(['']));
  const { status, problem } = await fixture.client.rest(operations.bank.transactions.list, {
    company_id,
    counted_as: 'counted',
  });
  expect([status, problem.errors]).toEqual([422, [expect.objectContaining({ pointer: '/month', code: 'required' })]]);
});

// Risk: a total that a client shows differs from the rows of its filter, or loses units of a large sum.
import { operations } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const LARGE = Number.MAX_SAFE_INTEGER;
const fixture = useApi();
const { bank, companies } = operations;
let company_id: string;

beforeEach(async () => {
  const { client } = fixture;
  company_id = (await client.rest(companies.create, { name: 'Totals Inc', timezone: 'UTC' })).body.id;
  const rows: [amount_cents: number, currency: string, source: string][] = [
    [1_000, 'USD', 'bank'],
    [-250, 'USD', 'bank'],
    [-9, 'USD', 'void'],
    [LARGE, 'EUR', 'bank'],
    [LARGE, 'EUR', 'bank'],
    [-4, 'JPY', 'void'],
  ];
  const transactions = rows.map(([amount_cents, currency, source], i) => ({
    external_id: `t${i}`,
    posted_at: '2026-03-01T12:00:00Z',
    amount_cents,
    currency,
    source,
  }));
  await client.rest(bank.transactions.ingest, { company_id, transactions });
  const voiding = { filter: { source: 'void' }, set: { voided: true }, expected_count: 2 };
  await client.rest(bank.transactions.bulk, { company_id, ...voiding });
});

const read = (filter: object) =>
  fixture.client.rest(bank.transactions.list, { company_id, limit: 1, include: 'totals', ...filter });

test('totals have a line per currency, count voided rows in none, and are text beyond the exact numbers', async () => {
  const { body } = await read({});
  const sum = (2n * BigInt(LARGE)).toString();
  expect([body.data.length, body.has_more, body.total_count]).toEqual([1, true, 6]);
  expect(body.totals).toEqual([
    {
      currency: 'EUR',
      transactions: 2,
      in_cents: null,
      out_cents: 0,
      net_cents: null,
      in_string: sum,
      net_string: sum,
    },
    { currency: 'JPY', transactions: 0, in_cents: 0, out_cents: 0, net_cents: 0 },
    { currency: 'USD', transactions: 2, in_cents: 1_000, out_cents: 250, net_cents: 750 },
  ]);
});

test('totals follow the filters, and a filter that selects nothing has none', async () => {
  expect((await read({ direction: 'out', currency: 'usd' })).body).toMatchObject({
    total_count: 2,
    totals: [{ currency: 'USD', transactions: 1, in_cents: 0, out_cents: 250, net_cents: -250 }],
  });
  expect((await read({ source: 'unknown' })).body).toMatchObject({ data: [], total_count: 0, totals: [] });
  expect((await read({ include: 'total_count' })).body).not.toHaveProperty('totals');
});

/** The main job with openapi-fetch and the types that openapi-typescript makes: main.js <url> <api key> <company>. */
import { deepStrictEqual } from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];

const client = 'openapi-typescript';
const balance_cents = 123_456_789_012_345;
const amount_cents = -4_294_967_297;

const [, , baseUrl = '', key = '', company_id = ''] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const path = { company_id };

/** The data of a successful response. */
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

function row(number: number): Schemas['BankTransactionInput'] {
  return {
    external_id: `${client}-${number}`,
    posted_at: '2026-03-31T12:00:00Z',
    amount_cents,
    currency: 'USD',
    connection_id: client,
  };
}

/** An event is in the feed a moment after its response. */
async function findEvent(id: string): Promise<Schemas['Event']> {
  for (let i = 0; i < 100; i++) {
    const query = { type: 'bank.balance.updated', order: 'desc', limit: 200 } as const;
    const page = dataOf(await api.GET('/events', { params: { query } }));
    const found = page.data.find((event) => event.id === id);
    if (found) return found;
    await setTimeout(100);
  }
  throw new Error(`The feed does not have ${id}.`);
}

const filter = { op: 'gt', field: 'data.balance_cents', value: 0 } as const;
const endpoint = dataOf(
  await api.POST('/webhook-endpoints', {
    body: { url: 'http://127.0.0.1:9/hook', events: ['bank.balance.updated'], filter },
  }),
);
deepStrictEqual(endpoint.secret.startsWith('whsec_'), true);
deepStrictEqual(endpoint.filter, filter);

const balance = dataOf(
  await api.POST('/companies/{company_id}/cash/balances', {
    params: { path },
    body: { as_of: '2026-03-31', balance_cents, currency: 'USD', connection_id: client },
  }),
);
deepStrictEqual(balance.result, 'created');
const stored = dataOf(
  await api.GET('/companies/{company_id}/cash/balances/{balance_id}', {
    params: { path: { company_id, balance_id: balance.id } },
  }),
);
deepStrictEqual(stored.balance_cents, balance_cents);

const transactions = '/companies/{company_id}/bank/transactions';
const one = dataOf(await api.POST(transactions, { params: { path }, body: row(1) }));
deepStrictEqual([one.received, one.inserted, one.transactions[0]?.amount_cents], [1, 1, amount_cents]);
const rows = { transactions: [row(1), row(2), row(3)] };
const many = dataOf(await api.POST(transactions, { params: { path }, body: rows }));
deepStrictEqual([many.received, many.inserted, many.skipped], [3, 2, 1]);

const snapshot = dataOf(
  await api.POST('/companies/{company_id}/financials/snapshots', {
    params: { path },
    body: {
      statement_type: 'income',
      period_start: '2026-03-01',
      period_end: '2026-03-31',
      currency: 'USD',
      totals: { revenue: balance_cents },
      line_items: [{ key: 'revenue', label: 'Revenue', amount_cents: balance_cents }],
    },
  }),
);
deepStrictEqual(snapshot.line_items[0]?.amount_cents, balance_cents);
deepStrictEqual(snapshot.totals, { revenue: balance_cents });

const event = await findEvent(balance.event_id);
deepStrictEqual(event.data['balance_cents'], balance_cents);

const company = dataOf(await api.GET('/companies/{company_id}', { params: { path } }));
deepStrictEqual(company.id, company_id);

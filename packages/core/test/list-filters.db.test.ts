// Risk: a filter of a list selects other rows than it says, by itself or beside another, and a report is made from them.
import { type Operation, operations } from '@finhook/contracts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Context } from '../src/kernel/context.ts';
import { idTime } from '../src/kernel/ids.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { listApiKeys } from '../src/modules/accounts/api-keys/read.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { listTransactions } from '../src/modules/bank/transactions/read.ts';
import { listCashBalances } from '../src/modules/cash/balances/read.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { listCompanies } from '../src/modules/companies/read.ts';
import { listDeliveries } from '../src/modules/deliveries/read.ts';
import { listEvents } from '../src/modules/events/read.ts';
import { listSnapshots } from '../src/modules/financials/statements/read.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { listEndpoints } from '../src/modules/webhooks/read.ts';
import { useFixture } from './core-fixture.ts';

const fixture = useFixture();

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const dayAfter = (days: number): string => new Date(START + days * DAY).toISOString().slice(0, 10);
const instantAfter = (days: number): string => new Date(START + days * DAY).toISOString();
const pick = <T>(values: readonly T[], i: number): T => values[i % values.length] as T;

const connections = ['one', 'two', undefined, 'none-of-these'];
const currencies = ['USD', 'EUR', 'JPY'];
const sources = ['api', 'csv', 'sync'];
const categories = ['rent', 'sales', undefined];
const counterparties = ['Landlord', 'Customer 100%', undefined];
const descriptions = ['Rent 100%', 'Invoice_7', 'Back\\slash', ''];
const ROWS = 90;
/** Ids that are known once there are records. */
const known = { company: '', endpoint: '', event: '' };
const THE = { company: 'the company', endpoint: 'the endpoint', event: 'the event' } as const;

async function seedCompany(context: Context, company_id: string): Promise<void> {
  const transactions = Array.from({ length: ROWS }, (_, i) => ({
    external_id: `t${i}`,
    posted_at: instantAfter((i * 7) % 30),
    amount_cents: ((i * 37) % 21) - 10,
    description: pick(descriptions, i),
    category: pick(categories, i + Math.floor(i / 3)),
    counterparty: pick(counterparties, i + Math.floor(i / 5)),
    connection_id: pick(connections, i + Math.floor(i / 7)),
    currency: pick(currencies, i + Math.floor(i / 11)),
    source: pick(sources, i + Math.floor(i / 13)),
  }));
  await ingestTransactions(context, { company_id, transactions });
  for (let i = 0; i < 40; i++) {
    await upsertCashBalance(context, {
      company_id,
      as_of: dayAfter(Math.floor(i / 4)),
      balance_cents: ((i * 37) % 21) - 10,
      currency: pick(currencies, i + Math.floor(i / 4)),
      source: pick(sources, i + Math.floor(i / 5)),
      connection_id: pick(connections, i),
    });
  }
  for (let i = 0; i < 24; i++) {
    await upsertSnapshot(context, {
      company_id,
      statement_type: pick(['income', 'balance', 'cashflow'], i),
      period_start: dayAfter(0),
      period_end: dayAfter(i % 8),
      currency: pick(currencies, i + Math.floor(i / 3)),
      totals: { cash: i },
      source: pick(sources, i + Math.floor(i / 2)),
    });
  }
}

/** Gives each row of a table times of its own: made on one day, changed on a later one. */
async function spreadTimes(table: string, changed = true): Promise<void> {
  const made = `'${instantAfter(0)}'::timestamptz + (abs(hashtext(id)) % 30) * interval '1 day'`;
  const updated = changed ? `, updated_at = ${made} + (abs(hashtext(id || 'u')) % 5) * interval '1 day'` : '';
  await fixture.core.database.query(`UPDATE ${table} SET created_at = ${made}${updated}`);
}

/** Ids of deliveries say when these were made: their filters go by that too. */
async function renameDeliveries(): Promise<void> {
  const { database } = fixture.core;
  const rows = await database.query<{ id: string; ms: string }>(
    'SELECT id, extract(epoch FROM created_at) * 1000 AS ms FROM delivery',
  );
  const renamed = rows.map(({ id, ms }) => `dlv_${idTime(Number(ms))}${id.slice('dlv_'.length + 10)}`);
  await database.query(
    `UPDATE delivery d SET id = n.renamed FROM unnest($1::text[], $2::text[]) AS n (id, renamed) WHERE d.id = n.id`,
    [rows.map(({ id }) => id), renamed],
  );
}

beforeAll(async () => {
  const { context, companyId, core } = fixture;
  for (let i = 0; i < 12; i++) {
    const name = pick(['Acme 100%', 'Under_score', 'Plain'], i);
    await createCompany(context, { name: `${name} ${i}`, ...(i % 2 ? { legal_name: `Legal ${i}` } : {}) });
    await createApiKey(context, { name: `${name} ${i}`, scope: pick(['human', 'read'], i) });
    await createEndpoint(context, {
      url: `http://127.0.0.1:9/${i}_hook`,
      events: [pick(['bank.balance.updated', 'financial.snapshot.updated'], i)],
      ...(i % 3 === 0 ? { company_id: companyId } : {}),
      ...(i % 2 === 0 ? { description: `${name} 100%` } : {}),
    });
  }
  await seedCompany(context, companyId);
  const { database } = core;
  await database.query("UPDATE webhook_endpoint SET status = 'paused' WHERE abs(hashtext(id)) % 3 = 0");
  await database.query(
    `UPDATE delivery SET attempt_count = abs(hashtext(id)) % 2,
       status = (ARRAY['pending', 'succeeded', 'failed', 'cancelled'])[1 + abs(hashtext(id || 's')) % 4]`,
  );
  known.company = companyId;
  const [sent] = (await listDeliveries(context, { limit: 1, order: 'asc' })).data;
  known.endpoint = sent?.endpoint_id ?? '';
  known.event = sent?.event_id ?? '';
  // The feed holds back what transactions on the same server, of other test files, might still precede.
  await vi.waitFor(
    async () => {
      const page = await listEvents(context, { limit: 1, order: 'asc', include: 'total_count' });
      const [stored] = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM event');
      expect(page.total_count).toBe(stored?.n);
    },
    { timeout: 20_000, interval: 10 },
  );
  for (const table of ['cash_balance', 'financial_snapshot', 'company', 'api_key', 'webhook_endpoint', 'delivery'])
    await spreadTimes(table);
  await spreadTimes('bank_transaction', false);
  await renameDeliveries();
});

type Item = Record<string, unknown>;
/** What a filter's value selects, reported once more in plain code. */
type Reference = { values: readonly unknown[]; keeps: (item: Item, value: never) => boolean };

const at = (field: string, keeps: (moment: number, bound: number) => boolean) => ({
  values: [
    instantAfter(0),
    instantAfter(7.5),
    instantAfter(15),
    '2026-01-20T02:00:00+05:30',
    '1969-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  keeps: (item: Item, value: string) => keeps(Date.parse(String(item[field])), Date.parse(value)),
});
const from = (field: string) => at(field, (moment, bound) => moment >= bound);
const to = (field: string) => at(field, (moment, bound) => moment < bound);
const equal = (field: string, values: readonly unknown[]) => ({
  values,
  keeps: (item: Item, value: unknown) => item[field] === value,
});
const day = (field: string, keeps: (a: string, b: string) => boolean) => ({
  values: [dayAfter(0), dayAfter(3), dayAfter(9), dayAfter(400)],
  keeps: (item: Item, value: string) => keeps(String(item[field]), value),
});
const amount = (field: string, keeps: (a: number, b: number) => boolean) => ({
  values: [-10, -1, 0, 1, 10, Number.MAX_SAFE_INTEGER],
  keeps: (item: Item, value: number) => keeps(Number(item[field]), value),
});
const search = (fields: readonly string[]) => ({
  values: ['100%', '_', '\\', 'RENT', 'l', 'no such text', '?', '$1', "'"],
  keeps: (item: Item, value: string) =>
    fields.some((field) => {
      const text = item[field];
      return typeof text === 'string' && text.toLowerCase().includes(value.toLowerCase());
    }),
});
const connection = {
  values: ['one', 'two', 'none', 'unknown'],
  keeps: (item: Item, value: string) => item['connection_id'] === (value === 'none' ? null : value),
};
const currency = {
  values: ['usd', 'EUR', 'CHF'],
  keeps: (item: Item, value: string) => item['currency'] === value.toUpperCase(),
};
const times = {
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_since: from('updated_at'),
};

interface List {
  operation: Operation;
  read: (context: Context, input: Item) => Promise<{ data: Item[] }>;
  filters: Record<string, Reference>;
}

// The input is made of the filters that the operation's own schema has.
function inputOf(input: Item): never {
  return input as never;
}
// A record is read field by field here.
function itemsOf(page: { data: object[] }): { data: Item[] } {
  return page as { data: Item[] };
}

const { cash, bank, financials, companies, apiKeys, webhookEndpoints, deliveries, events } = operations;
const lists: List[] = [
  {
    operation: bank.transactions.list,
    read: async (context, input) => itemsOf(await listTransactions(context, inputOf(input))),
    filters: {
      posted_from: from('posted_at'),
      posted_to: to('posted_at'),
      created_from: times.created_from,
      created_to: times.created_to,
      updated_since: from('created_at'),
      connection_id: connection,
      currency,
      external_id: equal('external_id', ['t1', 'T1', 't']),
      source: equal('source', sources),
      category: equal('category', ['rent', 'sales', 'Rent']),
      counterparty: equal('counterparty', ['Landlord', 'landlord', 'Customer 100%']),
      min_amount_cents: amount('amount_cents', (a, b) => a >= b),
      max_amount_cents: amount('amount_cents', (a, b) => a <= b),
      direction: {
        values: ['in', 'out'],
        keeps: (item, value: string) =>
          value === 'in' ? Number(item['amount_cents']) > 0 : Number(item['amount_cents']) < 0,
      },
      q: search(['description', 'counterparty', 'external_id']),
    },
  },
  {
    operation: cash.balances.list,
    read: async (context, input) => itemsOf(await listCashBalances(context, inputOf(input))),
    filters: {
      ...times,
      as_of_from: day('as_of', (a, b) => a >= b),
      as_of_to: day('as_of', (a, b) => a <= b),
      connection_id: connection,
      currency,
      source: equal('source', sources),
      min_balance_cents: amount('balance_cents', (a, b) => a >= b),
      max_balance_cents: amount('balance_cents', (a, b) => a <= b),
      // Every series has a balance on the last day of the seed.
      latest: { values: [true, false], keeps: (item, value: boolean) => !value || item['as_of'] === dayAfter(9) },
    },
  },
  {
    operation: financials.snapshots.list,
    read: async (context, input) => itemsOf(await listSnapshots(context, inputOf(input))),
    filters: {
      ...times,
      statement_type: equal('statement_type', ['income', 'balance', 'cashflow']),
      period_end_from: day('period_end', (a, b) => a >= b),
      period_end_to: day('period_end', (a, b) => a <= b),
      currency,
      source: equal('source', sources),
    },
  },
  {
    operation: companies.list,
    read: async (context, input) => itemsOf(await listCompanies(context, inputOf(input))),
    filters: {
      ...times,
      status: equal('status', ['forming', 'active', 'dissolved']),
      q: search(['name', 'legal_name']),
    },
  },
  {
    operation: apiKeys.list,
    read: async (context, input) => itemsOf(await listApiKeys(context, inputOf(input))),
    filters: {
      ...times,
      status: equal('status', ['active', 'expired', 'revoked']),
      scope: equal('scope', ['human', 'read', 'agent']),
      q: search(['name']),
    },
  },
  {
    operation: webhookEndpoints.list,
    read: async (context, input) => itemsOf(await listEndpoints(context, inputOf(input))),
    filters: {
      ...times,
      status: equal('status', ['active', 'paused', 'disabled']),
      company_id: equal('company_id', [THE.company, 'co_unknown']),
      q: search(['url', 'description']),
    },
  },
  {
    operation: deliveries.list,
    read: async (context, input) => itemsOf(await listDeliveries(context, inputOf(input))),
    filters: {
      ...times,
      status: equal('status', ['pending', 'succeeded', 'retrying', 'failed', 'cancelled']),
      event_type: equal('event_type', ['bank.balance.updated', 'financial.snapshot.updated', 'company.created']),
      company_id: equal('company_id', [THE.company, 'co_unknown']),
      endpoint_id: equal('endpoint_id', [THE.endpoint]),
      event_id: equal('event_id', [THE.event, 'evt_unknown']),
      replay_id: equal('replay_id', ['rpl_unknown']),
    },
  },
  {
    operation: events.list,
    read: async (context, input) => itemsOf(await listEvents(context, inputOf(input))),
    filters: {
      created_from: times.created_from,
      created_to: times.created_to,
      type: equal('type', ['bank.balance.updated', 'api_key.created', 'agent.linked']),
      company_id: equal('company_id', [THE.company, 'co_unknown']),
    },
  },
];

const paging = ['limit', 'after', 'before', 'order', 'include'];

/** A few of a list's filters, each with one of its values. */
function anyFilters({ filters }: List): fc.Arbitrary<[string, unknown][]> {
  return fc
    .subarray(Object.entries(filters), { maxLength: 4 })
    .chain((chosen) =>
      fc.tuple(...chosen.map(([name, { values }]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)))),
    );
}

function idOf(value: unknown): unknown {
  if (value === THE.company) return known.company;
  if (value === THE.endpoint) return known.endpoint;
  return value === THE.event ? known.event : value;
}

// Each filter's function takes the values that stand beside it.
function selects(reference: Reference | undefined, item: Item, value: unknown): boolean {
  return reference?.keeps(item, value as never) ?? false;
}

describe.each(lists)('D10: $operation.id', (list) => {
  const { operation, filters, read } = list;
  const withCompany = operation.http.path.includes('{company_id}');
  const select = async (input: Item): Promise<unknown[]> => {
    const { context, companyId } = fixture;
    const place = withCompany ? { company_id: companyId } : {};
    const { data } = await read(context, { ...place, limit: 1000, order: 'asc', ...input });
    return data;
  };

  test('each filter that the operation has is compared here', () => {
    const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
    const own = fields.filter((name) => !paging.includes(name) && !(withCompany && name === 'company_id'));
    expect(own.toSorted()).toEqual(Object.keys(filters).toSorted());
  });

  test('filters, alone and together, select what plain code selects of all rows', async () => {
    const all = (await select({})).map((item) => Object(item));
    expect(all.length).toBeGreaterThan(10);
    const compare = async (chosen: readonly (readonly [string, unknown])[]): Promise<number> => {
      const named = chosen.map(([name, value]) => [name, idOf(value)] as const);
      const expected = all.filter((item) => named.every(([name, value]) => selects(filters[name], item, value)));
      expect(await select(Object.fromEntries(named)), JSON.stringify(named)).toEqual(expected);
      return expected.length;
    };
    for (const [name, { values }] of Object.entries(filters)) {
      const found = await Promise.all(values.map((value) => compare([[name, value]])));
      // A filter whose every value selects all, or nothing, is compared with nothing.
      expect([name, new Set(found).size > 1 || found.some((count) => count < all.length)]).toEqual([name, true]);
    }
    await fc.assert(
      fc.asyncProperty(anyFilters(list), async (chosen) => void (await compare(chosen))),
      { numRuns: 60 },
    );
  });
});

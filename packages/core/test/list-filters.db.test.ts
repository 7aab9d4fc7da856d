// Risk: a filter of a list, alone or with another, selects wrong rows.
import { operations } from '@finhook/contracts';
import { beforeAll } from 'vitest';
import { idTime } from '../src/ids/ids.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { listDeliveries } from '../src/modules/deliveries/read.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import type { Context } from '../src/verbs/context.ts';
import { useFixture } from './core-fixture.ts';
import {
  amount,
  created,
  day,
  dayAfter,
  equal,
  from,
  instantAfter,
  pick,
  search,
  testList,
  times,
  to,
} from './test-list.ts';

const fixture = useFixture();

const connections = ['one', 'two', undefined, 'none-of-these'];
const currencies = ['USD', 'EUR', 'JPY'];
const sources = ['api', 'csv', 'sync'];
const categories = ['rent', 'sales', undefined];
const counterparties = ['Landlord', 'Customer 100%', undefined];
const descriptions = ['Rent 100%', 'Invoice_7', 'Back\\slash', ''];
const ROWS = 90;
/** Ids that exist once there are records. */
const known = { company_id: '', endpoint_id: '', event_id: '', resource_id: '', event_of_resource: '' };

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

/** Sets the times of a table's rows: created on one day, updated on a later one. */
async function spreadTimes(table: string): Promise<void> {
  const made = `'${instantAfter(0)}'::timestamptz + (abs(hashtext(id)) % 30) * interval '1 day'`;
  const updated = `${made} + (abs(hashtext(id || 'u')) % 5) * interval '1 day'`;
  await fixture.core.database.query(`UPDATE ${table} SET created_at = ${made}, updated_at = ${updated}`);
}

/** Ids of deliveries contain their creation time, which filters use. */
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
  await database.query("UPDATE company SET status = 'dissolved', dissolved_at = now() WHERE name LIKE 'Plain%'");
  await database.query("UPDATE api_key SET revoked_at = now() WHERE name LIKE 'Plain%'");
  await database.query("UPDATE api_key SET expires_at = now() - interval '1 s' WHERE name LIKE 'Under%'");
  await database.query(
    `UPDATE delivery SET attempt_count = abs(hashtext(id)) % 2,
       status = (ARRAY['pending', 'succeeded', 'failed', 'cancelled'])[1 + abs(hashtext(id || 's')) % 4],
       last_status_code = (ARRAY[200, 404, 500, null])[1 + abs(hashtext(id || 'c')) % 4]`,
  );
  const [sent] = (await listDeliveries(context, { limit: 1, order: 'asc' })).data;
  Object.assign(known, { company_id: companyId, endpoint_id: sent?.endpoint_id, event_id: sent?.event_id });
  const [snapshot] = await database.query<{ resource_id: string; event_of_resource: string }>(
    `SELECT resource_id, event_ids[1] AS event_of_resource FROM audit_log
     WHERE account_id = $1 AND action = 'financials.snapshots.upsert' LIMIT 1`,
    [context.accountId],
  );
  Object.assign(known, snapshot);
  for (const table of ['cash_balance', 'financial_snapshot', 'company', 'api_key', 'webhook_endpoint', 'delivery'])
    await spreadTimes(table);
  await spreadTimes('bank_transaction');
  // A row without a change has no time of a change.
  await database.query('UPDATE bank_transaction SET updated_at = NULL WHERE updated_at = created_at');
  await renameDeliveries();
});

const connection = {
  values: ['one', 'two', 'none', 'unknown'],
  keeps: (item: Record<string, unknown>, value: string) => item['connection_id'] === (value === 'none' ? null : value),
};
const currency = {
  values: ['usd', 'EUR', 'CHF'],
  keeps: (item: Record<string, unknown>, value: string) => item['currency'] === value.toUpperCase(),
};
const anyOf = (field: string, ...values: readonly string[][]) => ({
  values,
  keeps: (item: Record<string, unknown>, several: readonly unknown[]) => several.includes(item[field] ?? 'none'),
});
const company_id = equal('company_id', ['{company_id}', 'co_unknown']);

const { cash, bank, financials, companies, apiKeys, webhookEndpoints, deliveries, events } = operations;
const lists: [Parameters<typeof testList>[0], Parameters<typeof testList>[1]][] = [
  [
    bank.transactions.list,
    {
      posted_from: from('posted_at'),
      posted_to: to('posted_at'),
      ...times,
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
        keeps: (item, value: string) => Math.sign(Number(item['amount_cents'])) === (value === 'in' ? 1 : -1),
      },
      q: search('description', 'counterparty', 'external_id'),
      categories: anyOf('category', ['rent'], ['rent', 'sales'], ['sales', 'Rent', 'unknown']),
      connection_ids: anyOf('connection_id', ['two'], ['one', 'none'], ['none', 'unknown']),
    },
  ],
  [
    cash.balances.list,
    {
      ...times,
      as_of_from: day('as_of', (a, b) => a >= b),
      as_of_to: day('as_of', (a, b) => a <= b),
      connection_id: connection,
      currency,
      source: equal('source', sources),
      min_balance_cents: amount('balance_cents', (a, b) => a >= b),
      max_balance_cents: amount('balance_cents', (a, b) => a <= b),
    },
  ],
  [
    financials.snapshots.list,
    {
      ...times,
      statement_type: equal('statement_type', ['income', 'balance', 'cashflow']),
      period_end_from: day('period_end', (a, b) => a >= b),
      period_end_to: day('period_end', (a, b) => a <= b),
      currency,
      source: equal('source', sources),
    },
  ],
  [
    companies.list,
    { ...times, status: equal('status', ['forming', 'active', 'dissolved']), q: search('name', 'legal_name') },
  ],
  [
    apiKeys.list,
    {
      ...times,
      status: equal('status', ['active', 'expired', 'revoked']),
      scope: equal('scope', ['human', 'read', 'agent']),
      q: search('name'),
    },
  ],
  [
    webhookEndpoints.list,
    {
      ...times,
      status: equal('status', ['active', 'paused', 'disabled']),
      company_id,
      q: search('url', 'description'),
    },
  ],
  [
    deliveries.list,
    {
      ...times,
      status: equal('status', ['pending', 'succeeded', 'retrying', 'failed', 'cancelled']),
      event_type: equal('event_type', ['bank.balance.updated', 'financial.snapshot.updated', 'company.created']),
      company_id,
      endpoint_id: equal('endpoint_id', ['{endpoint_id}']),
      event_id: equal('event_id', ['{event_id}', 'evt_unknown']),
      replay_id: equal('replay_id', ['rpl_unknown']),
      response_code: equal('last_status_code', [200, 404, 503]),
      resource_id: {
        values: ['{resource_id}', 'fin_unknown'],
        keeps: (item, value: string) => value === known.resource_id && item['event_id'] === known.event_of_resource,
      },
    },
  ],
  [
    events.list,
    {
      ...created,
      type: equal('type', ['bank.balance.updated', 'api_key.created', 'agent.linked']),
      company_id,
    },
  ],
];
const elsewhere = new Map<unknown, readonly string[]>([
  // In packages/core/src/modules/cash/balances/upsert.db.test.ts.
  [cash.balances.list, ['latest']],
  // In packages/core/src/modules/financials/transactions/list.db.test.ts.
  [bank.transactions.list, ['month', 'month_to', 'counted_as', 'counts', 'category_key', 'counterparty_key']],
]);
for (const [operation, filters] of lists) {
  testList(operation, filters, fixture.context, known, elsewhere.get(operation));
}

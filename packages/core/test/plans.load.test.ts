// Risk: a plan that was made while a table was nearly empty reads all of it for each request once it has grown; or a
// statement is planned anew for each request, which costs more than running it.
import { operations } from '@finhook/contracts';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { ensurePartitions } from '../src/db/partitions.ts';
import { systemStatement } from '../src/db/queryable.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { createConnection } from '../src/modules/bank/connections/create.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { getCashHistory } from '../src/modules/cash/history.ts';
import { extendLeases } from '../src/modules/deliveries/claim-deliveries.ts';
import { releaseClaims } from '../src/modules/deliveries/claim-gated.ts';
import { listDeliveries } from '../src/modules/deliveries/read.ts';
import { recordAttempts } from '../src/modules/deliveries/record-attempts.ts';
import { listEvents } from '../src/modules/events/read.ts';
import { getBreakdown } from '../src/modules/financials/figures/breakdown.ts';
import { getDataQuality } from '../src/modules/financials/figures/data-quality.ts';
import { getBurn, getFreshness, getMonthly, getRunway } from '../src/modules/financials/figures/get-figures.ts';
import { getSummary } from '../src/modules/financials/figures/summary.ts';
import { getStatements } from '../src/modules/financials/statements/statements.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { listTransactions } from '../src/modules/financials/transactions/list.ts';
import { advanceReplay } from '../src/modules/replays/advance-replay.ts';
import { replayEndpoint } from '../src/modules/replays/begin.ts';
import { steadyPace } from '../src/modules/replays/plan-step.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { cancelDeliveriesOfDeleted } from '../src/modules/webhooks/delete.ts';
import { updateEndpoint } from '../src/modules/webhooks/update.ts';
import { openCore } from '../src/open-core.ts';
import type { Core } from '../src/verbs/context.ts';
import { attemptOf, claimAll, claimThrough } from './attempt-of.ts';
import { useFixture } from './core-fixture.ts';
import { openRawClient } from './raw-client.ts';

const fixture = useFixture();

/** The database, and every text that is sent through it, with its latest values. */
function listen(database: Database) {
  const texts = new Set<string>();
  const sent = new Map<string, readonly unknown[]>();
  const wrap = (inner: Database): Database => ({
    ...inner,
    query: (sql, values) => {
      texts.add(sql);
      sent.set(sql, values ?? []);
      return inner.query(sql, values);
    },
    transaction: (work) =>
      inner.transaction((tx) =>
        work({
          ...tx,
          query: (sql, values) => {
            texts.add(sql);
            return tx.query(sql, values);
          },
        }),
      ),
    forAccount: (...account) => wrap(inner.forAccount(...account)),
  });
  return { database: wrap(database), texts, sent };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Nodes that read one of the tables without a condition on the first column of an index. */
function wholeReads(plan: Plan, tables: ReadonlySet<string>, firstColumns: ReadonlyMap<string, string>): Plan[] {
  const first = firstColumns.get(plan['Index Name'] ?? '');
  const isKeyed = first !== undefined && new RegExp(`\\(${first} `).test(plan['Index Cond'] ?? '');
  const isWhole = tables.has(plan['Relation Name'] ?? '') && plan['Node Type'].includes('Scan') && !isKeyed;
  const below = (plan.Plans ?? []).flatMap((child) => wholeReads(child, tables, firstColumns));
  return isWhole ? [plan, ...below] : below;
}

function allNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(allNodes)];
}

async function firstColumnsOf(raw: pg.Client): Promise<Map<string, string>> {
  const { rows } = await raw.query<{ index: string; first: string }>(
    `SELECT i.indexrelid::regclass::text AS index, a.attname AS first
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]`,
  );
  return new Map(rows.map(({ index, first }) => [index, first]));
}

/**
 * Plans the prepared ones of the texts that name a table for any values, with the tables empty, and finds what reads one
 * of them whole; `atLeast` so many there must be.
 */
async function expectKeyedReads(texts: ReadonlySet<string>, names: readonly string[], atLeast: number): Promise<void> {
  const tables = new Set(names);
  const prepared = [...texts].filter(
    (text) => text.startsWith('/*') && names.some((name) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  expect(prepared.length).toBeGreaterThanOrEqual(atLeast);
  const raw = await openRawClient(fixture.database.url);
  onTestFinished(() => raw.end());
  const firstColumns = await firstColumnsOf(raw);
  await raw.query(`BEGIN; TRUNCATE ${names.join(', ')} CASCADE`);
  for (const name of names) await raw.query(`ANALYZE ${name}`);
  await raw.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  for (const text of prepared) {
    const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    const found = rows.flatMap((row) =>
      row['QUERY PLAN'].flatMap(({ Plan: plan }) => wholeReads(plan, tables, firstColumns)),
    );
    expect(found, text).toEqual([]);
  }
}

test('claims, records, releases and replays reach rows by their keys, whatever the table held when they were planned', async () => {
  const { context } = fixture;
  const { database, texts } = listen(fixture.core.database);
  const core: Core = { ...fixture.core, database };
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  for (let i = 0; i < 4; i++) await createApiKey(context, { name: 'k', scope: 'read' });
  const [a, b, c, d] = await claimAll(core, id);
  if (!a || !b || !c || !d) throw new Error('Four deliveries should have been due.');
  await recordAttempts(core, [attemptOf(a, { kind: 'succeeded' }), attemptOf(b, { kind: 'retry', delayMs: 1 })]);
  await releaseClaims(core, [c, d]);
  await updateEndpoint(context, { endpoint_id: id, max_concurrency: 2 });
  await claimAll(core, id, 1);
  await claimThrough(core, id, 1);
  await extendLeases(core, [c, d], 60_000);
  const since = '2020-01-01T00:00:00Z';
  for (const dry_run of [true, false])
    await replayEndpoint(
      { ...context, database: database.forAccount(context.accountId) },
      { endpoint_id: id, since, dry_run },
    );
  // On a machine that is busy, what is due is late by now, and a replay would wait for it.
  await advanceReplay(core, { ...steadyPace, lateMs: 60_000 });
  await cancelDeliveriesOfDeleted(core);
  await expectKeyedReads(texts, ['due'], 9);
});

test('posts and figures of a company reach rows by their keys, whatever the tables held when they were planned', async () => {
  const { database, texts } = listen(fixture.context.database);
  const context = { ...fixture.context, database };
  const { companyId: company_id } = fixture;
  await upsertCashBalance(context, { company_id, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' });
  for (const amount_cents of [1, 2]) {
    const row = { external_id: 'x', posted_at: '2026-01-01T00:00:00Z', amount_cents };
    await ingestTransactions(context, { company_id, transactions: [row] });
    await ingestTransactions(context, { company_id, match: 'content', transactions: [row, row] });
  }
  await upsertSnapshot(context, {
    company_id,
    statement_type: 'balance',
    period_end: '2026-01-31',
    currency: 'USD',
    totals: { cash: 1 },
  });
  for (const read of [getSummary, getBurn, getRunway, getFreshness, getDataQuality])
    await read(context, { company_id });
  await getMonthly(context, { company_id, months: 12 });
  await getBreakdown(context, operations.financials.breakdown.input.parse({ company_id }));
  await getStatements(context, { company_id, statement_type: 'income', months: 12 });
  await getCashHistory(context, { company_id, days: 3 });
  const tables = [
    'company',
    'bank_connection',
    'sync_run',
    'cash_balance',
    'bank_transaction',
    'transaction_receipt',
    'financial_snapshot',
    'surface_settings',
  ];
  await expectKeyedReads(texts, tables, 15);
});

test('the function that stores balances reaches rows by their keys, whatever the tables held when it was planned', async () => {
  const { database, sent } = listen(fixture.context.database);
  const context = { ...fixture.context, database };
  const { companyId: company_id } = fixture;
  const { id: connection_id } = await createConnection(context, { company_id, provider: 'ledger' });
  await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  const given = { as_of: '2026-01-02', balance_cents: 1, currency: 'USD' };
  await upsertCashBalance(context, { ...given, company_id });
  const [text = '', values = []] = [...sent].find(([sql]) => sql.startsWith('/* store_balances */')) ?? [];
  const raw = await openRawClient(fixture.database.url);
  onTestFinished(() => raw.end());
  const plans: string[] = [];
  const firstColumns = await firstColumnsOf(raw);
  await raw.query(
    'ANALYZE; SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan',
  );
  await raw.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_format = json;
    SET auto_explain.log_nested_statements = on; SET client_min_messages = log`);
  await raw.query('SET ROLE finhook_tenant');
  await raw.query("SELECT set_config('finhook.account_id', $1, false)", [context.accountId]);
  raw.on('notice', ({ message = '' }) => {
    const json = /plan:\n(\{.*)/s.exec(message)?.[1];
    if (json !== undefined) plans.push(json);
  });
  const row = { company_id, source: 'api', actor: context.actor, request_id: 'req_1', ...given };
  const rows = [
    { ...row, n: 1, connection_id: '', id: 'bal_1', event_id: 'evt_1', audit_id: 'aud_1', account_type: 'loan' },
    { ...row, n: 2, connection_id: 'other', id: 'bal_2', event_id: 'evt_2', audit_id: 'aud_2' },
    { ...row, n: 3, connection_id, id: 'bal_3', ingest_key: 'key_1', lists_connections: false },
  ];
  await raw.query(text, [JSON.stringify(rows), ...values.slice(1)]);
  const read = [
    'company',
    'bank_connection',
    'cash_balance',
    'connection_account_type',
    'surface_settings',
    'bank_transaction',
    'series_owner',
    'api_key',
    'webhook_endpoint',
  ];
  const nodes = plans.flatMap((json) => allNodes(JSON.parse(json).Plan));
  expect(new Set(nodes.map((node) => node['Relation Name']))).toEqual(
    new Set([undefined, ...read, 'account_sequence', 'audit_log', 'event', 'delivery', 'due']),
  );
  const found = plans.flatMap((json) => wholeReads(JSON.parse(json).Plan, new Set(read), firstColumns));
  expect(found).toEqual([]);
  // Not by its index of days, which would read all connections of the company.
  expect(
    new Set(nodes.filter((node) => node['Relation Name'] === 'cash_balance').map((node) => node['Index Name'])),
  ).toEqual(new Set([undefined, 'cash_balance_company_id_connection_id_as_of_key']));
});

test('figures reach transactions by their time or amount, whatever the table held when they were planned', async () => {
  const { database, texts } = listen(fixture.context.database);
  const { accountId } = fixture.context;
  const context = { ...fixture.context, database };
  await getDataQuality(context, { company_id: fixture.companyId });
  const raw = await openRawClient(fixture.database.url);
  onTestFinished(() => raw.end());
  await raw.query('BEGIN; TRUNCATE bank_transaction; ANALYZE bank_transaction');
  await raw.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  // Those of each reading of the table. Only in months with few rows are transfers looked for by time.
  const indexes = {
    read_monthly_flows: Array.from({ length: 3 }, () => 'bank_transaction_posted'),
    // By the posted label; rows with a person's category; all, if a rule sets such a label.
    read_card_payments: ['bank_transaction_card', 'bank_transaction_posted', 'bank_transaction_updated'],
    read_transfer_sides: [...Array.from({ length: 3 }, () => 'bank_transaction_amount'), 'bank_transaction_posted'],
  };
  const reads = [...texts].filter((text) => /\* read_\w+ \*.*\bbank_transaction\b/s.test(text));
  expect(reads).toHaveLength(Object.keys(indexes).length);
  const expectIndexes = async (): Promise<void> => {
    for (const [name, known] of Object.entries(indexes)) {
      const text = reads.find((read) => read.includes(`* ${name} *`));
      const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
      );
      const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => allNodes(plan)));
      const used = nodes
        .filter((node) => node['Relation Name'] === 'bank_transaction')
        .map((node) => node['Index Name']);
      expect(used.toSorted(), text).toEqual(known);
    }
  };
  await expectIndexes();
  await raw.query(
    `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents, currency,
       currency_inferred, description, source, created_at)
     SELECT 'txn_' || i, $1, $2, 'c' || i % 4, i, timestamptz '2026-01-01' + i * interval '1 hour', i % 9000 - 4500, 'USD',
       false, '', 'api', now()
     FROM generate_series(1, 30000) i`,
    [accountId, fixture.companyId],
  );
  await raw.query('ANALYZE bank_transaction');
  await expectIndexes();
});

test('lists of events and deliveries between two moments read the ids and the months of that time only', async () => {
  const { database, sent } = listen(fixture.context.database);
  const context = { ...fixture.context, database };
  const at = (days: number) => new Date(Date.UTC(2031, 4, 10 + days)).toISOString();
  const page = { limit: 20, order: 'desc', created_from: at(0), created_to: at(1) } as const;
  await ensurePartitions(fixture.core.database.owner, new Date(at(0)));
  await listEvents(context, page);
  await listDeliveries(context, page);
  for (const table of ['event', 'delivery']) {
    const [[text, values] = [], ...others] = [...sent].filter(([sql]) => sql.includes(`FROM ${table} `));
    if (text === undefined) throw new Error('The list was not read.');
    expect(others).toEqual([]);
    const plans = await fixture.core.database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    const nodes = plans.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => allNodes(plan)));
    const reads = nodes.filter((node) => node['Relation Name']?.startsWith(`${table}_`));
    expect(reads.map((node) => node['Relation Name'])).toEqual([`${table}_2031_05`]);
    expect(reads.map((node) => node['Index Cond'])).toEqual([expect.stringMatching(/id >= .*id < /)]);
  }
});

test.each([
  ['of several categories and accounts', { categories: ['k1', 'k2'], connection_ids: ['c1', 'c2', 'none'] }],
  ['by amount', { sort: 'amount_cents' }],
  ['of a currency by amount', { sort: 'amount_cents', currency: 'USD' }],
] satisfies [string, Partial<Parameters<typeof listTransactions>[1]>][])(
  'a list %s reads the rows of its company only',
  async (_, given) => {
    const { database, sent } = listen(fixture.context.database);
    const { companyId: company_id } = fixture;
    await listTransactions({ ...fixture.context, database }, { company_id, limit: 20, order: 'desc', ...given });
    const [text = '', values = []] = [...sent].find(([sql]) => sql.includes('FROM bank_transaction t ')) ?? [];
    const raw = await openRawClient(fixture.database.url);
    onTestFinished(() => raw.end());
    await raw.query('BEGIN; TRUNCATE bank_transaction');
    await raw.query(
      `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents, currency,
       currency_inferred, description, source, created_at, category)
     SELECT 'txn_' || i, $1, CASE WHEN i % 30 = 0 THEN $2 ELSE 'co_' || i % 30 END, 'c' || i % 4, i,
       timestamptz '2026-01-01' + i * interval '1 hour', i, 'USD', false, '', 'api', now(), 'k' || i % 20
     FROM generate_series(1, 30000) i`,
      [fixture.context.accountId, company_id],
    );
    await raw.query('ANALYZE bank_transaction');
    const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
    const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => allNodes(plan)));
    const reads = nodes.filter((node) => node['Relation Name'] === 'bank_transaction');
    expect(reads.map((node) => node['Node Type'])).toEqual([expect.stringMatching(/^(Index|Bitmap Heap) Scan$/)]);
    const scans = nodes.filter((node) => node['Index Name']?.startsWith('bank_transaction'));
    expect(scans.map((node) => node['Index Cond'])).toEqual([expect.stringContaining('company_id = ')]);
  },
);

test('what is undelivered is found by its deliveries, whatever else the account has', async () => {
  const { database, sent } = listen(fixture.context.database);
  await listDeliveries({ ...fixture.context, database }, { limit: 20, order: 'desc', status: 'undelivered' });
  const [text = '', values = []] = [...sent].find(([sql]) => sql.includes('FROM delivery ')) ?? [];
  const raw = await openRawClient(fixture.database.url);
  onTestFinished(() => raw.end());
  const { accountId } = fixture.context;
  const { id } = await createEndpoint(fixture.context, { url: 'http://127.0.0.1:4010/many' });
  await raw.query('BEGIN');
  await raw.query(
    `INSERT INTO event (id, account_id, type, created_at, body, position)
     SELECT 'evt_01kgw3q2m8' || lpad(n::text, 16, '0'), $1, 'api_key.created', now(), '{}', n FROM generate_series(1, 50000) n`,
    [accountId],
  );
  await raw.query(
    `INSERT INTO delivery (id, account_id, event_id, event_type, endpoint_id, status, created_at, updated_at)
     SELECT 'dlv_01kgw3q2m8' || lpad(n::text, 16, '0'), $1, 'evt_01kgw3q2m8' || lpad(n::text, 16, '0'), 'api_key.created', $2,
       CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'succeeded' END, now(), now() FROM generate_series(1, 50000) n`,
    [accountId, id],
  );
  await raw.query('ANALYZE event; ANALYZE delivery; SET enable_seqscan = off');
  const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => allNodes(plan)));
  const reads = nodes.filter((node) => node['Relation Name']?.startsWith('event_'));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) expect(read['Index Cond']).toMatch(/id = /);
});

test('a prepared statement is planned once for all values, and what is put together for a request for its own', async () => {
  const core = await openCore({
    databaseUrl: fixture.database.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: true,
    poolSize: 1,
  });
  onTestFinished(() => core.database.close());
  const account = core.database.forAccount(fixture.context.accountId);
  const read = systemStatement('read_some', 'SELECT id FROM company WHERE id = ANY ($1::text[])');
  const keys = [[fixture.companyId]];
  const runs = [
    () => core.database.query(read, keys),
    () => core.database.transaction((tx) => tx.query(read, keys)),
    () => account.query(read, keys),
    () => account.transaction((tx) => tx.query(read, keys)),
  ];
  for (const run of runs) expect(await run()).toEqual([{ id: fixture.companyId }]);
  expect(
    await core.database.query(
      "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'read_some'",
    ),
  ).toEqual([{ generic_plans: '4', custom_plans: '0' }]);
  expect(await account.query("SELECT current_setting('plan_cache_mode') AS mode")).toEqual([{ mode: 'auto' }]);
});

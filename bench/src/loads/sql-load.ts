import { createIdSource, systemClock } from '@finhook/core';
import { Pool } from 'pg';
import { runClosedLoop } from './closed-loop.ts';
import type { LoadResult, SqlLoad } from './load.ts';
import { balancePost, type TransactionPost, transactionBatch } from './traffic.ts';

/** Everything that a balance post writes, in one statement: balance, audit row, event, deliveries and due rows. */
const writeBalance = `
WITH stored AS (
  INSERT INTO cash_balance AS b
    (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, version, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, now(), now())
  ON CONFLICT (company_id, connection_id, as_of) DO UPDATE
    SET balance_cents = excluded.balance_cents, version = b.version + 1, updated_at = excluded.updated_at
  RETURNING id
), au AS (
  INSERT INTO audit_log (id, account_id, company_id, actor, action, resource_id, request_id, ip, after, created_at)
  SELECT $9, $2, $3, $10::jsonb, 'cash.balances.upsert', id, $11, '127.0.0.1', $12::jsonb, now() FROM stored
), ev AS (
  INSERT INTO event (id, account_id, company_id, type, created_at, body)
  SELECT $13, $2, $3, 'bank.balance.updated', now(), $14::text FROM stored
  RETURNING id, account_id, company_id, type, created_at
), dl AS (
  INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at)
  SELECT 'dlv_' || substr(ev.id, 5, 10) || substr(md5(ev.id || e.id), 1, 16), ev.account_id, ev.company_id, ev.id, ev.type,
         e.id, ev.created_at, ev.created_at
  FROM ev JOIN webhook_endpoint e ON e.account_id = ev.account_id
  RETURNING id, account_id, event_id, endpoint_id
), du AS (
  INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, due_at, next_attempt_at)
  SELECT id, account_id, event_id, endpoint_id, now(), now() FROM dl
  RETURNING 1
)
SELECT count(*)::int AS deliveries FROM du`;

/** The bare bulk insert, into a table that `bulkTable` makes. */
const insertBatch = `
INSERT INTO bench_transaction
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bigint[],
  $8::text[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
ON CONFLICT (company_id, connection_id, external_id) DO NOTHING`;

/** Makes the table of L3: the columns of bank_transaction and its unique key, without its other indexes. */
const bulkTable = `
CREATE TABLE IF NOT EXISTS bench_transaction (LIKE bank_transaction, UNIQUE (company_id, connection_id, external_id))`;

const deliveriesPerPost = 3;
/** More than any machine seen so far inserts; batches are made before the clock runs. */
const batchesPerSecond = 300;

function createBalanceValues({ accountId, companyIds, series }: SqlLoad): (n: number) => unknown[] {
  const newId = createIdSource(systemClock);
  const actor = JSON.stringify({ type: 'api_key', id: newId('key'), name: 'First key' });
  return (n) => {
    const { companyId, ...post } = balancePost(companyIds, series, n);
    const [id, eventId] = [newId('bal'), newId('evt')];
    const at = new Date().toISOString();
    const after = { as_of: post.as_of, balance_cents: post.balance_cents, currency: post.currency, result: 'created' };
    const record = {
      id,
      object: 'cash_balance',
      account_id: accountId,
      company_id: companyId,
      ...post,
      created_at: at,
      updated_at: at,
    };
    const cash = [{ currency: post.currency, balance_cents: post.balance_cents }];
    const data = { ...record, result: 'created', cash_on_hand: cash };
    const envelope = {
      id: eventId,
      type: 'bank.balance.updated',
      created_at: at,
      account_id: accountId,
      company_id: companyId,
      data,
    };
    return [
      id,
      accountId,
      companyId,
      post.connection_id,
      post.as_of,
      post.balance_cents,
      post.currency,
      post.source,
      newId('aud'),
      actor,
      newId('req'),
      JSON.stringify(after),
      eventId,
      JSON.stringify(envelope),
    ];
  };
}

function columnsOf(
  accountId: string,
  companyId: string,
  rows: readonly TransactionPost[],
  newId: () => string,
): unknown[] {
  const at = new Date().toISOString();
  const column = (value: (row: TransactionPost) => unknown): unknown[] => rows.map(value);
  return [
    column(newId),
    column(() => accountId),
    column(() => companyId),
    column((row) => row.connection_id),
    column((row) => row.external_id),
    column((row) => row.posted_at),
    column((row) => row.amount_cents),
    column((row) => row.currency),
    column(() => false),
    column((row) => row.description),
    column((row) => row.category),
    column((row) => row.counterparty),
    column((row) => row.source),
    column(() => at),
  ];
}

function createBatchValues({ accountId, companyIds, series, warmupMs, durationMs }: SqlLoad): (n: number) => unknown[] {
  const newId = createIdSource(systemClock);
  const make = (n: number): unknown[] =>
    columnsOf(accountId, companyIds[n % companyIds.length] ?? '', transactionBatch(series, n), () => newId('txn'));
  const prepared = Array.from({ length: ((warmupMs + durationMs) / 1000) * batchesPerSecond }, (_, n) => make(n));
  return (n) => prepared[n] ?? make(n);
}

/** Runs the bare statement of L2 or L3 through a pool. */
export async function runSqlLoad(load: SqlLoad): Promise<LoadResult> {
  const { kind, callers, warmupMs, durationMs } = load;
  const pool = new Pool({ connectionString: load.databaseUrl, max: load.poolSize });
  const isBalance = kind === 'balance-statements';
  if (!isBalance) await pool.query(bulkTable);
  const valuesOf = isBalance ? createBalanceValues(load) : createBatchValues(load);
  const statement = isBalance ? { name: 'l2', text: writeBalance } : { name: 'l3', text: insertBatch };
  const result = await runClosedLoop({
    callers,
    warmupMs,
    durationMs,
    work: async (n) => {
      const { rows } = await pool.query<{ deliveries: number }>({ ...statement, values: valuesOf(n) });
      if (isBalance && rows[0]?.deliveries !== deliveriesPerPost) throw new Error('A bare post made other deliveries.');
    },
  });
  await pool.end();
  return result;
}

// Risk: a plan made on an empty table is kept, and reads the whole table for each post or claim once it has grown.
import { beforeAll, expect, test } from 'vitest';
import { attemptOf, claimAll } from '../test/attempt-of.ts';
import { useFixture } from '../test/core-fixture.ts';
import { ingestTransactions } from './modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from './modules/cash/balances/upsert.ts';
import { findDueEndpoints } from './modules/deliveries/find-due-endpoints.ts';
import { loadTargets } from './modules/deliveries/load-targets.ts';
import { readNextDueInMs } from './modules/deliveries/read-gates.ts';
import { recordAttempts } from './modules/deliveries/record-attempts.ts';
import { getSummary } from './modules/financials/figures/summary.ts';
import { createEndpoint } from './modules/webhooks/create.ts';

/** PostgreSQL uses a generic plan from the sixth execution on. */
const RUNS = 8;
const CONNECTIONS = 16;

const fixture = useFixture();
let endpointId: string;
beforeAll(async () => {
  ({ id: endpointId } = await createEndpoint(fixture.context, { url: 'http://127.0.0.1:9/hook' }));
});

async function postAndDeliver(run: number): Promise<void> {
  const { context, companyId, core } = fixture;
  const day = String(1 + run).padStart(2, '0');
  const balance = { company_id: companyId, as_of: `2026-01-${day}`, balance_cents: run, currency: 'USD' };
  await upsertCashBalance(context, balance);
  const transactions = [0, 1].map((i) => ({
    external_id: `bank-${i === 0 ? 'known' : run}`,
    posted_at: '2026-01-05T10:00:00Z',
    amount_cents: run,
  }));
  await ingestTransactions(context, { company_id: companyId, transactions });
  await getSummary(context, { company_id: companyId });
  await findDueEndpoints(core, 0);
  const endpoints = [{ id: endpointId, accountId: context.accountId, gated: true }];
  await loadTargets(core, endpoints);
  const claims = await claimAll(core, endpointId);
  await recordAttempts(
    core,
    claims.map((claim) => attemptOf(claim, run % 2 === 0 ? { kind: 'succeeded' } : { kind: 'retry', delayMs: 0 })),
  );
  await readNextDueInMs(core, endpoints, 60_000);
}

async function scans(): Promise<{ table: string; whole: number; byIndex: number }[]> {
  const { database } = fixture.core;
  // Connections report their counters at the end of the next statement.
  const flush = () => database.query('SELECT pg_stat_force_next_flush()');
  await Promise.all(Array.from({ length: CONNECTIONS }, flush));
  return database.query(
    `SELECT relname AS table, seq_scan::int AS whole, idx_scan::int AS "byIndex" FROM pg_stat_user_tables
     WHERE relname IN ('cash_balance', 'bank_transaction', 'due', 'webhook_endpoint', 'company')
        OR relname ~ '^(event|delivery|attempt)_20' ORDER BY relname`,
  );
}

test('posting, claiming and recording use the indexes from the first row on', async () => {
  const before = new Map((await scans()).map(({ table, whole }) => [table, whole]));
  for (let run = 0; run < RUNS; run++) await postAndDeliver(run);
  const after = await scans();
  expect(after.filter(({ table, whole }) => whole > (before.get(table) ?? 0))).toEqual([]);
  expect(after.find(({ table }) => table === 'due')?.byIndex).toBeGreaterThan(RUNS);
});

/* oxlint-disable no-console, node/no-process-env -- a user's program */
import { type BankTransactionInput, createClient } from '@finhook/client';

const { FINHOOK_URL: baseUrl = '', FINHOOK_API_KEY: apiKey = '', COMPANY_ID: company_id = '' } = process.env;
const finhook = createClient({ baseUrl, apiKey });
const origin = { connection_id: 'acme-checking', source: 'acme-bank', currency: 'USD' };
const transactions: BankTransactionInput[] = [
  { ...origin, external_id: 'bank-7781', posted_at: '2026-03-01T14:05:00Z', amount_cents: -12_500 },
  { ...origin, external_id: 'bank-7782', posted_at: '2026-03-02T09:00:00Z', amount_cents: 480_000 },
];

// Stores nothing, and reports every row that would be rejected.
const trial = await finhook.bank.transactions.ingest({ company_id, transactions, dry_run: true });
for (const { index, message } of trial.errors) console.error(`row ${index}: ${message}`);
for (const { message } of trial.warnings ?? []) console.warn(message);
if (trial.failed > 0) process.exit(1);

// Safe to repeat: a transaction is known by its `external_id`, a balance by its day.
const { inserted, skipped } = await finhook.bank.transactions.ingest({ company_id, transactions });
const balance = { as_of: '2026-03-02', balance_cents: 41_250_000 };
const { result } = await finhook.cash.balances.upsert({ company_id, ...origin, ...balance });
console.log(`transactions: ${inserted} inserted, ${skipped} known; balance: ${result}`);

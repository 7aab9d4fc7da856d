import { z } from 'zod';
import { createdAt, id, objectType, timestamp, updatedAt } from '../scalars.ts';
import { syncError } from './bank-connection.ts';

export const syncStatus = z.enum(['running', 'succeeded', 'partial', 'failed']);

/** What a run did so far. Rows that were pulled again after an interruption count again as received and skipped. */
const syncStats = z.object({
  balances_upserted: z.int().describe('Balances stored or updated.'),
  transactions_received: z.int().describe('Transactions that the provider returned.'),
  transactions_inserted: z.int().describe('Transactions stored.'),
  transactions_skipped: z.int().describe('Transactions that were known already.'),
  snapshots_upserted: z.int().describe('Statement snapshots stored or replaced.'),
});
export type SyncStats = z.output<typeof syncStats>;

/** One pull of a provider's balances and transactions. */
export const syncRun = z
  .object({
    id: id('syn'),
    object: objectType('sync_run'),
    account_id: id('acct'),
    company_id: id('co'),
    connection_id: id('conn')
      .nullable()
      .describe('ID of the bank connection that is synced (`conn_…`); null if it no longer exists.'),
    provider: z.string().describe('Provider that is pulled.'),
    trigger: z.literal('manual').describe('What started the run.'),
    status: syncStatus.describe(
      '`running`, `succeeded`, `partial` if only some of the data was stored, or `failed` if none was.',
    ),
    started_at: timestamp.describe('When the run began (UTC).'),
    finished_at: timestamp.nullable().describe('When the run ended (UTC); null while running.'),
    duration_ms: z.int().nullable().describe('How long the run took, in milliseconds; null while running.'),
    stats: syncStats.describe('What the run stored so far.'),
    error: syncError.nullable().describe('Why the run did not succeed; null if it did.'),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'SyncRun', description: "One pull of a provider's balances and transactions." });
export type SyncRun = z.output<typeof syncRun>;

import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { syncError } from './bank-connection.ts';

export const syncStatus = z.enum(['running', 'succeeded', 'partial', 'failed']);

/** What a run did so far. Rows that were pulled again after an interruption count again as received and skipped. */
export const syncStats = z.object({
  balances_upserted: z.int(),
  transactions_received: z.int(),
  transactions_inserted: z.int(),
  transactions_skipped: z.int(),
  snapshots_upserted: z.int(),
});
export type SyncStats = z.output<typeof syncStats>;

/** One pull of a provider's balances and transactions. */
export const syncRun = z
  .object({
    id: id('syn'),
    object: z.literal('sync_run'),
    account_id: id('acct'),
    company_id: id('co'),
    connection_id: id('conn').nullable(),
    provider: z.string(),
    trigger: z.literal('manual'),
    status: syncStatus,
    started_at: timestamp,
    finished_at: timestamp.nullable(),
    duration_ms: z.int().nullable(),
    stats: syncStats,
    error: syncError.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.output<typeof syncRun>;

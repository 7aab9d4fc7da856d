import type { SyncError, SyncRun, SyncStats } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';

/** A row of `sync_run` as PostgreSQL returns it. */
export interface SyncRow {
  id: string;
  account_id: string;
  company_id: string;
  connection_id: string;
  provider: string;
  trigger: 'manual';
  status: SyncRun['status'];
  /** First day that is pulled, and the day on which it is: both as `YYYY-MM-DD` in UTC. */
  pull_from: string;
  pull_until: string;
  /** Where the provider's next page begins; null at the first. */
  cursor: string | null;
  pages: number;
  refused: number;
  first_refusal: string | null;
  /** Workers that took it on since its last page. */
  claims: number;
  /** What it waited since then because the provider asked for it. */
  waited_ms: number;
  /** How far back the provider says that it knows, and the first day with a transaction among those pulled; in UTC. */
  history_from: string | null;
  first_day: string | null;
  stats: SyncStats;
  error: SyncError | null;
  started_at: string;
  finished_at: string | null;
  created_at: string;
  updated_at: string;
}

/**
 * SQL that holds for a run that pulled all there was. One row that the service refuses, for as long as the provider has it,
 * must not have every later run begin where the first one did; a run of which nothing could be stored is pulled again.
 */
export function reachedTheEnd(run: string): string {
  return `(${run}.status = 'succeeded' OR (${run}.status = 'partial' AND ${run}.error->>'code' = 'rows_refused'))`;
}

export const noStats: SyncStats = {
  balances_upserted: 0,
  transactions_received: 0,
  transactions_inserted: 0,
  transactions_skipped: 0,
  snapshots_upserted: 0,
};

export function toSyncRun(row: SyncRow): SyncRun {
  const startedAt = toTimestamp(row.started_at);
  const finishedAt = toNullableTimestamp(row.finished_at);
  return {
    id: row.id,
    object: 'sync_run',
    account_id: row.account_id,
    company_id: row.company_id,
    connection_id: row.connection_id,
    provider: row.provider,
    trigger: row.trigger,
    status: row.status,
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
    stats: row.stats,
    error: row.error,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

import { type SyncRun, type SyncStats, syncRun } from '@finhook/contracts';
import { type RowOf, record } from '../../kernel/record.ts';

/** A row of `sync_run` as PostgreSQL returns it. */
export interface SyncRow extends RowOf<typeof syncRun, never, 'duration_ms'> {
  connection_id: string;
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
  /** The time since then that the run waited at the provider's request. */
  waited_ms: number;
  /** The start of the provider's history, and the first day with a pulled transaction; in UTC. */
  history_from: string | null;
  first_day: string | null;
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
  const { started_at, finished_at } = row;
  const duration_ms = finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);
  return record(syncRun, row, { duration_ms });
}

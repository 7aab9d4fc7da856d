import { type operations, type SyncRun, type SyncStats, syncRun } from '@finhook/contracts';
import { assertAccessible } from '../../../access/access.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { findConnection } from './connection.ts';

export interface SyncRow extends RowOf<typeof syncRun, never, 'duration_ms'> {
  connection_id: string;
  /** First and last day that is pulled; `YYYY-MM-DD` in UTC. */
  pull_from: string;
  pull_until: string;
  cursor: string | null;
  pages: number;
  refused: number;
  first_refusal: string | null;
  claims: number;
  /** Wait since its last page, as the provider requested, in ms. */
  waited_ms: number;
  /** Start of the provider's history, and the first day with a pulled transaction; in UTC. */
  history_from: string | null;
  first_day: string | null;
}

/** SQL: true for a run that pulled everything. Rejected rows don't make every later run start at the same day. */
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

export const getSync: Verb<typeof operations.bank.syncs.get> = async (context, input) => {
  const [row] = await context.database.query<SyncRow>('SELECT * FROM sync_run WHERE id = $1 AND account_id = $2', [
    input.sync_id,
    context.accountId,
  ]);
  return toSyncRun(assertAccessible(context, row, 'sync run'));
};

export const listSyncs = listVerb<typeof operations.bank.syncs.list, SyncRow>({
  table: 'sync_run',
  prefix: 'syn',
  async filters(filters, context, input) {
    const connection = await findConnection(context.database, context, input.connection_id);
    filters.where(connection.id, 'connection_id = ?');
    filters.whereEqual(input, ['status']);
  },
  map: toSyncRun,
});

import type { SyncError, SyncOutcome } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import type { SyncClaim } from './claim-sync.ts';
import { type ConnectionRow, connectionStates } from './connection.ts';
import type { SyncProgress } from './sync-progress.ts';
import { reachedTheEnd, type SyncRow, toSyncRun } from './sync-run.ts';

const lockOwner = statement('lock_synced_connection', 'SELECT * FROM bank_connection WHERE id = $1 FOR UPDATE');

const finish = statement(
  'finish_sync_run',
  `UPDATE sync_run
   SET status = $3, error = $4, finished_at = $5, updated_at = $5, refused = $6, first_refusal = $7,
       lease_token = NULL, lease_until = NULL
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING *`,
);

const storeOutcome = statement(
  'note_sync_on_connection',
  `UPDATE bank_connection
   SET status = $2, last_sync_status = $3, error = $4, last_synced_at = $5, updated_at = $5,
       backfill_status = CASE WHEN r.whole THEN 'complete' WHEN backfill_status = 'running' THEN 'none'
                         ELSE backfill_status END,
       history_from = CASE WHEN r.whole THEN least(history_from, r.known_from) ELSE history_from END,
       transactions_at = CASE WHEN r.whole THEN $5 ELSE transactions_at END
   FROM (
     SELECT ${reachedTheEnd('s')} AS whole, greatest(s.pull_from, coalesce(s.history_from, s.first_day)) AS known_from
     FROM sync_run s WHERE s.id = $6
   ) r
   WHERE id = $1`,
);

/** Stores the outcome of a run and emits `partner.sync_completed`, unless another worker has the run. */
export async function finishSync(
  context: Context,
  claim: SyncClaim,
  progress: SyncProgress,
  stopError: SyncError | undefined,
): Promise<void> {
  const error = stopError ?? rejectionErrorOf(progress);
  const status = outcomeOf(progress, error);
  await transaction(context, { records: 'audit and event', lock: claim.connection_id }, async (tx) => {
    const [connection] = await tx.query<ConnectionRow>(lockOwner, [claim.connection_id]);
    const now = context.clock.now().toISOString();
    const [row] = await tx.query<SyncRow>(finish, [
      claim.id,
      claim.lease_token,
      status,
      error === undefined ? null : JSON.stringify(error),
      now,
      progress.rejected,
      progress.firstRejection,
    ]);
    if (!row || !connection) return;
    await updateConnection(tx, connection, row, now);
    const after = toSyncRun(row);
    const event = { type: 'partner.sync_completed', data: after } as const;
    recordChange(tx, context, { action: 'bank.syncs.finish', after, event });
  });
}

function rejectionErrorOf(progress: SyncProgress): SyncError | undefined {
  const { rejected, firstRejection } = progress;
  if (rejected === 0) return undefined;
  const rows = rejected === 1 ? '1 row was rejected' : `${rejected} rows were rejected`;
  const others = countStored(progress) > 0 ? 'the others are stored' : 'none is stored';
  return { code: 'rows_refused', message: `${rows}, ${others}. The first: ${firstRejection ?? ''}` };
}

function outcomeOf(progress: SyncProgress, error: SyncError | undefined): SyncOutcome {
  if (error === undefined) return 'succeeded';
  return countStored(progress) > 0 ? 'partial' : 'failed';
}

function countStored({ stats }: SyncProgress): number {
  return stats.balances_upserted + stats.transactions_inserted + stats.transactions_skipped;
}

// History begins where the provider says, or with its first transaction: months that it no longer keeps would otherwise
// count as months without spending.
async function updateConnection(tx: Queryable, connection: ConnectionRow, run: SyncRow, now: string): Promise<void> {
  if (connection.status === 'disconnected') return;
  const status = run.status === 'succeeded' ? 'active' : 'error';
  connectionStates.moves(connection.status, status);
  const error = run.error === null ? null : JSON.stringify(run.error);
  await tx.query(storeOutcome, [connection.id, status, run.status, error, now, run.id]);
}

import type { Replay } from '@finhook/contracts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { Settled } from './open-deliveries.ts';
import type { ReplayRow } from './replay-record.ts';

/** What a step or a verb changes in a replay. */
export interface ReplayChange {
  status?: Replay['status'];
  settled: Settled;
  /** Deliveries that this step made. */
  enqueued?: number;
  cursor?: { xid: string; id: string } | undefined;
  scanned?: boolean;
  waitingFor: Replay['waiting_for'];
  error?: Replay['error'];
  /** When a worker looks at it next, in ms from now. */
  delayMs: number;
  now: Date;
}

const over: readonly string[] = ['completed', 'cancelled', 'failed'];

const save = statement(
  'save_replay',
  `UPDATE replay SET status = $2, enqueued = $3, open = $4, delivered = $5, failed = $6, cancelled = $7, matched = $8,
     cursor_xid = $9, cursor_id = $10, scanned = $11, waiting_for = $12, error = $13,
     active = $14 OR $2 = 'paused' AND (SELECT deleted_at IS NOT NULL FROM webhook_endpoint e WHERE e.id = endpoint_id),
     next_step_at = clock_timestamp() + $15::int * interval '1 millisecond', finished_at = $16, updated_at = $17
   WHERE id = $1 RETURNING *`,
);

/**
 * Writes a change to the row that the transaction holds. A replay that is paused or over is looked at again only as long
 * as deliveries of it are open, and a paused one whose endpoint was deleted, which ends it.
 */
export async function saveReplay(db: Queryable, row: ReplayRow, change: ReplayChange): Promise<ReplayRow> {
  const { settled, cursor } = change;
  const status = change.status ?? row.status;
  const scanned = change.scanned ?? row.scanned;
  const enqueued = row.enqueued + (change.enqueued ?? 0);
  const open = settled.open + (change.enqueued ?? 0);
  const ended = over.includes(status);
  const [saved] = await db.query<ReplayRow>(save, [
    row.id,
    status,
    enqueued,
    open,
    row.delivered + settled.delivered,
    row.failed + settled.failed,
    row.cancelled + settled.cancelled,
    scanned ? enqueued : Math.max(row.matched, enqueued),
    cursor?.xid ?? row.cursor_xid,
    cursor?.id ?? row.cursor_id,
    scanned,
    status === 'running' ? change.waitingFor : null,
    change.error == null ? row.error && JSON.stringify(row.error) : JSON.stringify(change.error),
    status === 'running' || open > 0,
    change.delayMs,
    ended ? (row.finished_at ?? change.now.toISOString()) : null,
    change.now.toISOString(),
  ]);
  if (!saved) throw new Error(`The replay ${row.id} is gone.`);
  return saved;
}

import { type Replay, type ReplayStatus, replay as replaySchema } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { type RowOf, record } from '../../kernel/record.ts';
import { defineStates } from '../../kernel/state-machine.ts';
import type { Settled } from './open-deliveries.ts';

export type ReplayRow = RowOf<typeof replaySchema, never, 'only'> & {
  selection: Replay['only'];
  /** The transaction that requested it: events of later ones are delivered as usual. */
  asked_xid: string;
  cursor_xid: string;
  cursor_id: string;
  scanned: boolean;
};

export function toReplay(row: ReplayRow): Replay {
  return record(replaySchema, row, { only: row.selection });
}

/** Callers pause, resume and cancel a replay; the worker completes it or ends it as failed. */
export const replayStates = defineStates<ReplayStatus>('replay', {
  running: ['paused', 'completed', 'cancelled', 'failed'],
  paused: ['running', 'cancelled', 'failed'],
  completed: [],
  cancelled: [],
  failed: [],
});

export interface ReplayChange {
  status?: Replay['status'];
  settled: Settled;
  enqueued?: number;
  cursor?: { xid: string; id: string } | undefined;
  scanned?: boolean;
  waitingFor: Replay['waiting_for'];
  error?: Replay['error'];
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
 * Writes a change to the locked row. A paused or ended replay remains active only while its deliveries are open; a
 * paused one also after its endpoint was deleted, which ends it.
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
  if (!saved) throw new Error(`The replay ${row.id} does not exist.`);
  return saved;
}

import { type operations, type Replay, type ReplayStatus, replay as replaySchema } from '@finhook/contracts';
import { accessibleCompanies, companyAccessSql, filterByCompanyAccess } from '../../access/access.ts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { defineStates } from '../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { findEndpoint } from '../webhooks/read.ts';
import { cancelOpen, type Settled, settleReplay } from './open-deliveries.ts';

export type ReplayRow = RowOf<typeof replaySchema, never, 'only'> & {
  selection: Replay['only'];
  /** The feed's newest position at the request; later events are delivered as usual. */
  asked_position: string;
  cursor_position: string;
  scanned: boolean;
};

export function toReplay(row: ReplayRow): Replay {
  return record(replaySchema, row, { only: row.selection });
}

/** Callers pause, resume and cancel a replay; the worker completes or fails it. */
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
  cursor?: string | undefined;
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
     cursor_position = $9, scanned = $10, waiting_for = $11, error = $12,
     active = $13 OR $2 = 'paused' AND (SELECT deleted_at IS NOT NULL FROM webhook_endpoint e WHERE e.id = endpoint_id),
     next_step_at = clock_timestamp() + $14::int * interval '1 millisecond', finished_at = $15, updated_at = $16
   WHERE id = $1 RETURNING *`,
);

/** A paused or ended replay stays active while it has open deliveries, or until a step fails it: its endpoint is deleted. */
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
    cursor ?? row.cursor_position,
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

const companyOfEndpoint = '(SELECT e.company_id FROM webhook_endpoint e WHERE e.id = replay.endpoint_id)';

/** Throws `not_found` without access. */
async function findReplay(db: Queryable, context: Context, replayId: string, lock = false): Promise<ReplayRow> {
  const [row] = await db.query<ReplayRow>(
    `SELECT * FROM replay
     WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3', companyOfEndpoint)}
     ${lock ? 'FOR UPDATE' : ''}`,
    [replayId, context.accountId, accessibleCompanies(context)],
  );
  if (!row) throw notFound('replay');
  return row;
}

export const getReplay: Verb<typeof operations.replays.get> = async (context, input) =>
  toReplay(await findReplay(context.database, context, input.replay_id));

export const listReplays = listVerb<typeof operations.replays.list, ReplayRow>({
  table: 'replay',
  prefix: 'rpl',
  async filters(filters, context, input) {
    if (input.endpoint_id !== undefined) await findEndpoint(context, input.endpoint_id);
    filters.where(context.accountId, 'account_id = ?');
    filterByCompanyAccess(filters, context, companyOfEndpoint);
    filters.whereEqual(input, ['endpoint_id', 'status']);
  },
  map: toReplay,
});

const moveVerb =
  (to: ReplayStatus, action: string): Verb<typeof operations.replays.pause> =>
  (context, input) =>
    transaction(context, { records: 'audit', lock: input.replay_id }, async (tx) => {
      const row = await findReplay(tx, context, input.replay_id, true);
      const before = toReplay(row);
      if (!replayStates.moves(row.status, to)) return before;
      if (to === 'cancelled') await cancelOpen(tx, row.id);
      const settled = await settleReplay(tx, row.id);
      const now = context.clock.now();
      const after = toReplay(await saveReplay(tx, row, { status: to, settled, waitingFor: null, delayMs: 0, now }));
      recordChange(tx, context, { action, companyId: null, before, after });
      return after;
    });

export const pauseReplay = moveVerb('paused', 'replays.pause');
export const resumeReplay = moveVerb('running', 'replays.resume');
export const cancelReplay = moveVerb('cancelled', 'replays.cancel');

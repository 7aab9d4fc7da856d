import type { Replay } from '@finhook/contracts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { isFree } from '../../outbox/leases.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { enqueueEvents, type ReplayToStep } from './enqueue-events.ts';
import { cancelOpen, settleReplay } from './open-deliveries.ts';
import { planStep, type ReplayPace, steadyPace } from './plan-step.ts';
import { type ReplayChange, replayStates, saveReplay, toReplay } from './replay.ts';

interface LockedReplay extends ReplayToStep {
  endpoint_status: 'active' | 'paused' | 'disabled';
  endpoint_deleted: boolean;
  consecutive_failures: number;
  ordered: boolean;
  max_concurrency: number | null;
  per_second: number | null;
}

interface EndpointLoad {
  untried: number;
  fresh_late: boolean;
  alone: boolean;
}

// Another worker's step holds the lock.
const find = systemStatement(
  'find_due_replay',
  `SELECT id, account_id FROM replay WHERE active AND next_step_at <= now() AND ${isNotMoving('replay.account_id')} ORDER BY next_step_at LIMIT 1
   FOR UPDATE SKIP LOCKED`,
);

// The row's lock is the claim: it ends with the transaction, even if the worker dies.
const take = statement(
  'take_replay',
  `SELECT r.*, e.status AS endpoint_status, e.deleted_at IS NOT NULL AS endpoint_deleted, e.consecutive_failures,
     e.filter IS NOT NULL AS endpoint_filtered, e.ordered, e.max_concurrency,
     least(e.rate_limit_requests::float8 / e.rate_limit_seconds, e.paced_to) AS per_second
   FROM replay r JOIN webhook_endpoint e ON e.id = r.endpoint_id
   WHERE r.id = $1 AND r.active AND r.next_step_at <= now() FOR UPDATE OF r SKIP LOCKED`,
);

// Rows of `due` are found by key, not by a join: a plan made while `due` was empty would read all of it.
const readLoad = statement(
  'read_replay_endpoint_load',
  `SELECT
     (SELECT count(*)::int FROM replay r JOIN replay_open o ON o.replay_id = r.id
      CROSS JOIN LATERAL (SELECT step FROM due WHERE delivery_id = o.delivery_id LIMIT 1) u
      WHERE r.endpoint_id = $1 AND r.active AND u.step = 0) AS untried,
     EXISTS (
       SELECT FROM due d WHERE d.endpoint_id = $1 AND d.due_at <= now() - $2::int * interval '1 millisecond'
         AND ${isFree('d')}
         AND (SELECT true FROM replay_open o WHERE o.delivery_id = d.delivery_id LIMIT 1) IS NULL
     ) AS fresh_late,
     pg_try_advisory_xact_lock(hashtextextended('replay_step|' || $1, 0)) AS alone`,
);

const readNext = systemStatement(
  'read_next_replay_step',
  `SELECT extract(epoch FROM min(next_step_at) - now())::float8 * 1000 AS in_ms FROM replay
   WHERE active AND ${isNotMoving('replay.account_id')}`,
);

/** Milliseconds until the next step of any replay, 0 or less if one is due; undefined without an active replay. */
export async function nextReplayInMs(core: Core): Promise<number | undefined> {
  const [row] = await core.database.query<{ in_ms: number | null }>(readNext);
  return row?.in_ms ?? undefined;
}

/** Runs one step of the replay that has waited longest, in one transaction; undefined if none is due. */
export async function advanceReplay(core: Core, pace: ReplayPace = steadyPace): Promise<Replay | undefined> {
  for (;;) {
    const [due] = await core.database.query<{ id: string; account_id: string }>(find);
    if (due === undefined) return undefined;
    const after = await stepOf(systemContext(core, due.account_id, due.id), due.id, pace);
    // Another worker may have taken it meanwhile.
    if (after !== undefined) return after;
  }
}

function stepOf(context: Context, id: string, pace: ReplayPace): Promise<Replay | undefined> {
  return transaction(context, { records: 'audit' }, async (tx) => {
    const [replay] = await tx.query<LockedReplay>(take, [id]);
    if (!replay) return undefined;
    const change = await step(tx, context, replay, pace);
    const after = toReplay(await saveReplay(tx, replay, change));
    if ((change.enqueued ?? 0) > 0) tx.handOffs.poke({ id: replay.endpoint_id, accountId: replay.account_id });
    if (change.status !== undefined) {
      const action = `replays.${endings[change.status] ?? 'end'}`;
      recordChange(tx, context, { action, companyId: null, after });
    }
    return after;
  });
}

const endings: Partial<Record<Replay['status'], string>> = { completed: 'complete', failed: 'fail' };

async function step(
  tx: UnitOfWork<'audit'>,
  core: Core,
  replay: LockedReplay,
  pace: ReplayPace,
): Promise<ReplayChange> {
  const now = core.clock.now();
  if (replay.endpoint_deleted || replay.status === 'cancelled' || replay.status === 'failed') {
    await cancelOpen(tx, replay.id);
    const settled = await settleReplay(tx, replay.id);
    const ended = { settled, waitingFor: null, delayMs: idleMs, now };
    if (replay.status !== 'running' && replay.status !== 'paused') return ended;
    replayStates.moves(replay.status, 'failed');
    return { ...ended, status: 'failed', error: endpointDeleted };
  }
  const settled = await settleReplay(tx, replay.id);
  if (replay.status !== 'running') return { settled, waitingFor: null, delayMs: idleMs, now };
  const [load] = await tx.query<EndpointLoad>(readLoad, [replay.endpoint_id, pace.lateMs]);
  if (!load) throw new Error(`The load of the endpoint of the replay ${replay.id} could not be read.`);
  const plan = planStep({
    endpointStatus: replay.endpoint_status,
    consecutiveFailures: replay.consecutive_failures,
    scanned: replay.scanned,
    enqueued: replay.enqueued,
    open: settled.open,
    responses: settled.responses,
    slowestMs: settled.slowest,
    atOnce: replay.ordered ? 1 : (replay.max_concurrency ?? Number.POSITIVE_INFINITY),
    perSecond: replay.per_second ?? Number.POSITIVE_INFINITY,
    untried: load.untried,
    freshLate: load.fresh_late,
    alone: load.alone,
    pace,
  });
  const change = { settled, waitingFor: plan.waitingFor, delayMs: plan.delayMs, now };
  if (replay.scanned && settled.open === 0) {
    replayStates.moves(replay.status, 'completed');
    return { ...change, status: 'completed' };
  }
  if (plan.room === 0) return change;
  const { enqueued, cursor, atEnd: scanned } = await enqueueEvents(tx, core, replay, plan);
  // The search for the next matching event is not throttled: it does not load the endpoint.
  const searching = enqueued === 0 ? { waitingFor: null, delayMs: pace.everyMs } : {};
  if (scanned && settled.open + enqueued === 0) {
    replayStates.moves(replay.status, 'completed');
    return { ...change, cursor, scanned, status: 'completed' };
  }
  return { ...change, ...searching, enqueued, cursor, scanned };
}

const idleMs = 1_000;
const endpointDeleted = {
  code: 'endpoint_deleted',
  message: 'The endpoint was deleted. Deliveries that were not sent are cancelled.',
} as const;

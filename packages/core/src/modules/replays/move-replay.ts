import type { operations, ReplayStatus } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { cancelOpen, settleReplay } from './open-deliveries.ts';
import { findReplay } from './read-replays.ts';
import { toReplay } from './replay-record.ts';
import { replayStates } from './replay-states.ts';
import { saveReplay } from './save-replay.ts';

type Op = typeof operations.replays.pause;

async function move(context: Context, replayId: string, to: ReplayStatus, action: string): Promise<OutputOf<Op>> {
  return transaction(context, { lock: replayId }, async (tx) => {
    const row = await findReplay(tx, context, replayId, true);
    const before = toReplay(row);
    if (!replayStates.moves(row.status, to)) return before;
    if (to === 'cancelled') await cancelOpen(tx, row.id);
    const settled = await settleReplay(tx, row.id);
    const now = context.clock.now();
    const after = toReplay(await saveReplay(tx, row, { status: to, settled, waitingFor: null, delayMs: 0, now }));
    await audit(tx, context, { action, resourceId: row.id, before, after });
    return after;
  });
}

/** Pauses a replay: nothing more is handed over, and what was goes on. */
export function pauseReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'paused', 'replays.pause');
}

/** Resumes a paused replay where it stopped. */
export function resumeReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'running', 'replays.resume');
}

/** Ends a replay. Its open deliveries are cancelled; one that is being attempted right now may still arrive. */
export function cancelReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'cancelled', 'replays.cancel');
}

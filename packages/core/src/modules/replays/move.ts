import type { operations, ReplayStatus } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { cancelOpen, settleReplay } from './open-deliveries.ts';
import { findReplay } from './read.ts';
import { replayStates, saveReplay, toReplay } from './replay-record.ts';

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
    await recordChange(tx, context, { action, companyId: null, before, after });
    return after;
  });
}

export function pauseReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'paused', 'replays.pause');
}

export function resumeReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'running', 'replays.resume');
}

export function cancelReplay(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return move(context, input.replay_id, 'cancelled', 'replays.cancel');
}

import { agentFlag, type operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { flagStates } from '../runtime-states.ts';
import { findFlag } from './read.ts';

type Op = typeof operations.agentFlags.resolve;

export async function resolveFlag(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.flag_id }, async (tx) => {
    const flag = await findFlag(tx.em, context, input.flag_id, true);
    await lockCompany(tx, context, flag.company_id);
    const before = record(agentFlag, flag);
    if (!flagStates.moves(flag.status, 'resolved')) return before;
    const now = context.clock.now();
    flag.status = 'resolved';
    flag.resolved_at = now;
    flag.resolved_by = context.actor;
    flag.resolution_note = input.note ?? null;
    flag.updated_at = now;
    await tx.em.flush();
    const after = record(agentFlag, flag);
    const event = { type: 'agent.flag.resolved', data: after } as const;
    await recordChange(tx, context, { action: 'agentFlags.resolve', before, after, event });
    return after;
  });
}

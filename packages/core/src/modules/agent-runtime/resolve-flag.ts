import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { findFlag } from './read-flags.ts';
import { flagStates } from './runtime-states.ts';

type Op = typeof operations.agentFlags.resolve;

/** Resolves a flag, and emits `agent.flag.resolved`; a repeat changes nothing, not even the note. */
export async function resolveFlag(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.flag_id }, async (tx) => {
    const flag = await findFlag(tx.em, context, input.flag_id, true);
    await lockCompany(tx, context, flag.companyId);
    const before = flag.toRecord();
    if (!flagStates.moves(flag.status, 'resolved')) return before;
    const now = context.clock.now();
    flag.status = 'resolved';
    flag.resolvedAt = now;
    flag.resolvedBy = context.actor;
    flag.resolutionNote = input.note ?? null;
    flag.updatedAt = now;
    await tx.em.flush();
    const record = flag.toRecord();
    const { companyId, id } = flag;
    await audit(tx, context, { action: 'agentFlags.resolve', companyId, resourceId: id, before, after: record });
    await emit(tx, context, { type: 'agent.flag.resolved', companyId, data: record });
    return record;
  });
}

import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { invalidFields } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { outcomeColumns, outcomeFaults } from './action-outcome.ts';
import { assertApprovalOf } from './assert-work-of.ts';
import { findAction } from './read-actions.ts';
import { actionStates } from './runtime-states.ts';

type Op = typeof operations.agentActions.update;

/**
 * Tells how an action ended or that it is blocked, and emits the event of its new status; a repeat changes nothing.
 * What began before the agent was paused can still be told: the log would be wrong without its end.
 */
export async function updateAction(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.action_id }, async (tx) => {
    const action = await findAction(tx.em, context, input.action_id, true);
    await lockCompany(tx, context, action.companyId);
    const before = action.toRecord();
    if (!actionStates.moves(action.status, input.status)) return before;
    const now = context.clock.now();
    invalidFields(outcomeFaults(input.status, input, action.startedAt, now));
    await assertApprovalOf(tx.em, action, input.blocked?.approval_id);
    tx.em.assign(action, { ...outcomeColumns(input.status, input, action.startedAt, now), updatedAt: now });
    await tx.em.flush();
    const record = action.toRecord();
    await audit(tx, context, {
      action: 'agentActions.update',
      companyId: action.companyId,
      resourceId: action.id,
      before,
      after: record,
    });
    await emit(tx, context, {
      type: `agent.action.${input.status}`,
      companyId: action.companyId,
      data: { ...record, previous_status: before.status },
    });
    return record;
  });
}

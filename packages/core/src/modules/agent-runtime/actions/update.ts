import { agentAction, type operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { rejectFields } from '../../../kernel/domain-error.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { assertApprovalOf } from '../agent-work.ts';
import { actionStates } from '../runtime-states.ts';
import { outcomeColumns, outcomeErrors } from './outcome.ts';
import { findAction } from './read.ts';

type Op = typeof operations.agentActions.update;

/**
 * Stores the outcome of an action, or that it is blocked, and emits the event of its new status; a repeat changes
 * nothing. An action logged before the agent was paused can still be updated, so that the log is complete.
 */
export async function updateAction(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.action_id }, async (tx) => {
    const action = await findAction(tx.em, context, input.action_id, true);
    await lockCompany(tx, context, action.company_id);
    const before = record(agentAction, action);
    if (!actionStates.moves(action.status, input.status)) return before;
    const now = context.clock.now();
    rejectFields(outcomeErrors(input.status, input, action.started_at, now));
    await assertApprovalOf(tx.em, action, input.blocked?.approval_id);
    tx.em.assign(action, { ...outcomeColumns(input.status, input, action.started_at, now), updated_at: now });
    await tx.em.flush();
    const after = record(agentAction, action);
    await recordChange(tx, context, {
      action: 'agentActions.update',
      before,
      after,
      event: { type: `agent.action.${input.status}`, data: { ...after, previous_status: before.status } },
    });
    return after;
  });
}

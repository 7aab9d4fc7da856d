import { agentApproval, type operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { approvalStates } from '../runtime-states.ts';
import { toAgentApproval } from './agent-approval.entity.ts';
import { findApproval } from './read.ts';

type Op = typeof operations.agentApprovals.cancel;

/** Withdraws a pending request. It emits no event: nobody decided, and the requester knows. */
export async function cancelApproval(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_approval_id }, async (tx) => {
    const approval = await findApproval(tx.em, context, input.agent_approval_id, true);
    await lockCompany(tx, context, approval.company_id);
    const now = context.clock.now();
    const before = toAgentApproval(approval, now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.updated_at = now;
    await tx.em.flush();
    const after = record(agentApproval, approval);
    await recordChange(tx, context, { action: 'agentApprovals.cancel', before, after });
    return after;
  });
}

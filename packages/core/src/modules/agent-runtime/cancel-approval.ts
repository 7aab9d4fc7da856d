import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { findApproval } from './read-approvals.ts';
import { approvalStates } from './runtime-states.ts';

type Op = typeof operations.agentApprovals.cancel;

/** Withdraws a pending request. The catalogue has no event for it: nobody decided, and the one who asked knows. */
export async function cancelApproval(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_approval_id }, async (tx) => {
    const approval = await findApproval(tx.em, context, input.agent_approval_id, true);
    await lockCompany(tx, context, approval.companyId);
    const now = context.clock.now();
    const before = approval.recordAt(now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.updatedAt = now;
    await tx.em.flush();
    const record = approval.toRecord();
    await audit(tx, context, {
      action: 'agentApprovals.cancel',
      companyId: approval.companyId,
      resourceId: approval.id,
      before,
      after: record,
    });
    return record;
  });
}

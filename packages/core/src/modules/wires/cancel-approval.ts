import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { approvalStates } from './approval-states.ts';
import { takeApproval } from './take-approval.ts';

type Op = typeof operations.bank.approvals.cancel;

/** Cancels a pending wire, also one's own; cancelling it again changes nothing. */
export async function cancelBankApproval(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    const approval = await takeApproval(tx, context, input.approval_id);
    const now = context.clock.now();
    const before = approval.toRecord(now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.decidedAt = now;
    approval.updatedAt = now;
    await tx.em.flush();
    const record = approval.toRecord(now);
    await audit(tx, context, {
      action: 'bank.approvals.cancel',
      companyId: record.company_id,
      resourceId: record.id,
      before,
      after: record,
    });
    return record;
  });
}

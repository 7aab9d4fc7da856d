import type { operations } from '@finhook/contracts';
import type { Context } from '../../../../kernel/context.ts';
import { recordChange } from '../../../../kernel/record-change.ts';
import { transaction } from '../../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../../kernel/verb.ts';
import { toApproval } from './bank-approval.entity.ts';
import { lockApproval } from './lock-approval.ts';
import { approvalStates } from './states.ts';

type Op = typeof operations.bank.approvals.cancel;

export async function cancelBankApproval(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    const approval = await lockApproval(tx, context, input.approval_id);
    const now = context.clock.now();
    const before = toApproval(approval, now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.decided_at = now;
    approval.updated_at = now;
    await tx.em.flush();
    const after = toApproval(approval, now);
    await recordChange(tx, context, { action: 'bank.approvals.cancel', before, after });
    return after;
  });
}

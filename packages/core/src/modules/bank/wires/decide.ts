import type { Actor, BankApproval as ApprovalRecord, ApprovalReview, operations } from '@finhook/contracts';
import { systemStatement } from '../../../db/queryable.ts';
import { audit } from '../../../outbox/audit.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { isNotMoving } from '../../../outbox/sequence-sql.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { type Context, type Core, systemContext } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { rejectTransition } from '../../../verbs/state-machine.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { personKeys } from '../../accounts/api-keys/read.ts';
import { approvalActorOf } from '../../agent-runtime/approvals/approval-actor.ts';
import { approvalStates, lockApproval, toApproval } from './approval.ts';

type DecideOp = typeof operations.bank.approvals.decide;
type DecideInput = InputOf<DecideOp>;

const outcomes = { approve: 'approved', reject: 'rejected' } as const;

/** One rejection is final. People are compared, not keys. Emits no event: the audit row records the decision. */
export async function decideBankApproval(context: Context, input: DecideInput): Promise<OutputOf<DecideOp>> {
  return transaction(context, { records: 'audit' }, async (tx) => {
    const approval = await lockApproval(tx, context, input.approval_id);
    const now = context.clock.now();
    const before = toApproval(approval, now);
    const keys = await personKeys(tx, context);
    const isCaller = ({ type, id }: Actor): boolean => type === 'api_key' && keys.has(id);
    const own = before.reviews.find(({ reviewer }) => isCaller(reviewer));
    if (own?.decision === input.decision) return before;
    checkReview(isCaller(before.requested_by), before, own, input);
    const { decision } = input;
    const comment = input.comment ?? null;
    approval.reviews = [
      ...before.reviews,
      { reviewer: approvalActorOf(context), decision, comment, at: now.toISOString() },
    ];
    if (decision === 'reject' || approval.reviews.length >= before.required_approvals) {
      approval.status = outcomes[decision];
      approval.decided_at = now;
    }
    approval.updated_at = now;
    await tx.em.flush();
    const after = toApproval(approval, now);
    recordChange(tx, context, { action: 'bank.approvals.decide', before, after });
    return after;
  });
}

function checkReview(
  isRequester: boolean,
  { status }: ApprovalRecord,
  own: ApprovalReview | undefined,
  { decision }: DecideInput,
): void {
  // A second approval by another reviewer is a conflict, not a repeat.
  if (!approvalStates.moves(status, outcomes[decision])) {
    throw rejectTransition('bank approval', status, outcomes[decision], []);
  }
  if (isRequester) {
    throw new DomainError('self_review', {
      detail:
        'Your key belongs to the person who requested this wire. Let another person decide, with a key that an operator ' +
        'created for them (account:key), or cancel the wire.',
    });
  }
  if (own) {
    throw new DomainError('invalid_state_transition', {
      detail: `You decided "${own.decision}" before and cannot change it. Another person can decide, or cancel the wire.`,
      extra: { current_status: status, allowed: ['cancelled'] },
    });
  }
}

export const cancelBankApproval: Verb<typeof operations.bank.approvals.cancel> = (context, input) =>
  transaction(context, { records: 'audit' }, async (tx) => {
    const approval = await lockApproval(tx, context, input.approval_id);
    const now = context.clock.now();
    const before = toApproval(approval, now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.decided_at = now;
    approval.updated_at = now;
    await tx.em.flush();
    const after = toApproval(approval, now);
    recordChange(tx, context, { action: 'bank.approvals.cancel', before, after });
    return after;
  });

const BATCH = 200;

interface ExpiredRow {
  id: string;
  account_id: string;
  company_id: string;
}

// Reads already return this state.
const expire = systemStatement(
  'expire_bank_approvals',
  `UPDATE bank_approval SET status = 'expired', decided_at = expires_at, updated_at = expires_at
   WHERE id IN (
     SELECT id FROM bank_approval WHERE status = 'pending' AND expires_at <= $1 AND ${isNotMoving('bank_approval.account_id')}
     ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
   ) RETURNING id, account_id, company_id`,
);

/** Expires overdue wires of all accounts, in batches. Returns their number. */
export async function expireBankApprovals(core: Core): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await transaction(core, { records: 'audit' }, async (tx) => {
      const expired = await tx.query<ExpiredRow>(expire, [core.clock.now().toISOString()]);
      for (const { id, account_id, company_id } of expired) {
        audit(tx, systemContext(core, account_id, 'bank_approvals'), {
          action: 'bank.approvals.expire',
          companyId: company_id,
          resourceId: id,
          before: { status: 'pending' },
          after: { status: 'expired' },
        });
      }
      return expired.length;
    });
    total += rows;
    if (rows < BATCH) return total;
  }
}

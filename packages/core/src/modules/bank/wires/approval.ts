import {
  type BankApproval as ApprovalRecord,
  type ApprovalReview,
  type ApprovalStatus,
  bankApproval,
  type operations,
} from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import type { Transaction } from '../../../db/database.ts';
import { filterExpiring } from '../../../lists/keyset.ts';
import type { Context } from '../../../verbs/context.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { columnsOf, recordEntity, recordFinder } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { type StoredApprovalActor, toApprovalActor } from '../../agent-runtime/approvals/approval-actor.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { findCompany } from '../../companies/read.ts';

type StoredReview = Omit<ApprovalReview, 'reviewer'> & { reviewer: StoredApprovalActor };

const BankApprovalSchema = recordEntity('BankApproval', 'bank_approval', {
  ...columnsOf(bankApproval),
  amount_cents: p.bigint('number'),
  threshold_cents: p.bigint('number'),
  reviews: p.json().$type<StoredReview[]>(),
  requested_by: p.json().$type<StoredApprovalActor>(),
});

export class BankApproval extends BankApprovalSchema.class {}
BankApprovalSchema.setClass(BankApproval);

export interface ApprovalRow
  extends RowOf<typeof bankApproval, 'amount_cents' | 'threshold_cents', 'reviews' | 'requested_by'> {
  reviews: StoredReview[];
  requested_by: StoredApprovalActor;
}

/** As of `now`: a pending approval expires on time, before the job stores that. */
export function toApproval(row: BankApproval | ApprovalRow, now: Date): ApprovalRecord {
  const expiresAt = new Date(row.expires_at);
  const stored = record(bankApproval, row, {
    requested_by: toApprovalActor(row.requested_by),
    reviews: row.reviews.map((review) => ({ ...review, reviewer: toApprovalActor(review.reviewer) })),
  });
  if (row.status !== 'pending' || expiresAt > now) return stored;
  const at = expiresAt.toISOString();
  return { ...stored, status: 'expired', decided_at: at, updated_at: at };
}

export const APPROVAL_HOURS = 72;

export const approvalStates = defineStates<ApprovalStatus>('bank approval', {
  pending: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: [],
  rejected: [],
  expired: [],
  cancelled: [],
});

const findApproval = recordFinder(BankApproval, 'bank approval');

/** Locks the approval, so that concurrent decisions see each other. Throws `not_found` or `company_dissolved`. */
export async function lockApproval(tx: Transaction, context: Context, approvalId: string): Promise<BankApproval> {
  const approval = await findApproval(tx.em, context, approvalId, true);
  await lockCompany(tx, context, approval.company_id);
  return approval;
}

export const getBankApproval: Verb<typeof operations.bank.approvals.get> = async (context, input) => {
  const found = await findApproval(context.database.em(), context, input.approval_id);
  return toApproval(found, context.clock.now());
};

export const listBankApprovals = listVerb<typeof operations.bank.approvals.list, ApprovalRow, Date>({
  table: 'bank_approval',
  prefix: 'apr',
  times: false,
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    const now = context.clock.now();
    filters.where(company.id, 'company_id = ?');
    filters.whereTimes({ ...input, updated_since: undefined });
    filterExpiring(filters, input, now);
    return now;
  },
  map: toApproval,
});

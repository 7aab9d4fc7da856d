import {
  type Actor,
  type BankApproval as ApprovalRecord,
  type ApprovalReview,
  type ApprovalStatus,
  type Beneficiary,
  bankApproval,
} from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { type RowOf, record } from '../../../../kernel/record.ts';

const BankApprovalSchema = defineEntity({
  name: 'BankApproval',
  tableName: 'bank_approval',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    company_id: p.text(),
    connection_id: p.text().nullable(),
    amount_cents: p.bigint('number'),
    currency: p.text(),
    beneficiary: p.json().$type<Beneficiary>(),
    memo: p.text().nullable(),
    threshold_cents: p.bigint('number'),
    threshold_currency: p.text().nullable(),
    required_approvals: p.integer(),
    reviews: p.json().$type<ApprovalReview[]>(),
    status: p.text().$type<ApprovalStatus>(),
    requested_by: p.json().$type<Actor>(),
    expires_at: p.datetime(),
    decided_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class BankApproval extends BankApprovalSchema.class {}
BankApprovalSchema.setClass(BankApproval);

export type ApprovalRow = RowOf<typeof bankApproval, 'amount_cents' | 'threshold_cents'>;

/** The approval as of `now`: an undecided one expires on time, before the maintenance job stores that. */
export function toApproval(row: BankApproval | ApprovalRow, now: Date): ApprovalRecord {
  const expiresAt = new Date(row.expires_at);
  if (row.status !== 'pending' || expiresAt > now) return record(bankApproval, row);
  const at = expiresAt.toISOString();
  return record(bankApproval, row, { status: 'expired', decided_at: at, updated_at: at });
}

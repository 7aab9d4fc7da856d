import type {
  Actor,
  BankApproval as ApprovalRecord,
  ApprovalReview,
  ApprovalStatus,
  Beneficiary,
} from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const BankApprovalSchema = defineEntity({
  name: 'BankApproval',
  tableName: 'bank_approval',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    companyId: p.text(),
    connectionId: p.text().nullable(),
    amountCents: p.bigint('number'),
    currency: p.text(),
    beneficiary: p.json().$type<Beneficiary>(),
    memo: p.text().nullable(),
    thresholdCents: p.bigint('number'),
    thresholdCurrency: p.text().nullable(),
    requiredApprovals: p.integer(),
    reviews: p.json().$type<ApprovalReview[]>(),
    status: p.text().$type<ApprovalStatus>(),
    requestedBy: p.json().$type<Actor>(),
    expiresAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A wire that was asked for, and what others said to it. */
export class BankApproval extends BankApprovalSchema.class {
  /** The approval at `now`: one that nobody decided in time has expired, before the maintenance job stores it so. */
  toRecord(now: Date): ApprovalRecord {
    const expired = this.status === 'pending' && this.expiresAt <= now;
    return {
      id: this.id,
      object: 'bank_approval',
      account_id: this.accountId,
      company_id: this.companyId,
      connection_id: this.connectionId ?? null,
      kind: 'wire',
      amount_cents: this.amountCents,
      currency: this.currency,
      beneficiary: this.beneficiary,
      memo: this.memo ?? null,
      threshold_cents: this.thresholdCents,
      threshold_currency: this.thresholdCurrency ?? null,
      required_approvals: this.requiredApprovals,
      reviews: this.reviews,
      status: expired ? 'expired' : this.status,
      requested_by: this.requestedBy,
      expires_at: this.expiresAt.toISOString(),
      decided_at: (expired ? this.expiresAt : this.decidedAt)?.toISOString() ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: (expired ? this.expiresAt : this.updatedAt).toISOString(),
    };
  }
}
BankApprovalSchema.setClass(BankApproval);

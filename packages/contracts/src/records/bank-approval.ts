import { z } from 'zod';
import { countryInput, currency, currencyInput, id, optional, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'expired', 'cancelled']);
export type ApprovalStatus = z.output<typeof approvalStatus>;

export const approvalDecision = z.enum(['approve', 'reject']);

/** Who is to get the money. Only the last four characters of an account number are ever taken. */
export const beneficiaryInput = z.object({
  name: text(1, 200),
  bank_name: optional(text(1, 200)),
  account_last4: z.string().regex(/^\d{4}$/, 'must be four digits'),
  country: optional(countryInput),
});

export const beneficiary = z.object({
  name: z.string(),
  bank_name: z.string().nullable(),
  account_last4: z.string(),
  country: z.string().nullable(),
});
export type Beneficiary = z.output<typeof beneficiary>;

/** One person's word on an approval. */
export const approvalReview = z.object({
  reviewer: actor,
  decision: approvalDecision,
  comment: z.string().nullable(),
  at: timestamp,
});
export type ApprovalReview = z.output<typeof approvalReview>;

/** A wire that somebody asked for. The service records intent and decisions and moves no money. */
export const bankApproval = z
  .object({
    id: id('apr'),
    object: z.literal('bank_approval'),
    account_id: id('acct'),
    company_id: id('co'),
    connection_id: z.string().nullable(),
    kind: z.literal('wire'),
    amount_cents: z.int(),
    currency,
    beneficiary,
    memo: z.string().nullable(),
    threshold_cents: z.int().meta({
      description:
        "The company's threshold when the wire was asked for, in minor units of `threshold_currency`, its base currency",
    }),
    threshold_currency: currency.nullable().meta({
      description: "The company's base currency when the wire was asked for; null for a wire of before this was kept",
    }),
    required_approvals: z.int().meta({ description: '0 for a wire below the threshold' }),
    reviews: z.array(approvalReview),
    status: approvalStatus,
    requested_by: actor,
    expires_at: timestamp.meta({ description: 'A wire that is still pending then expires' }),
    decided_at: timestamp.nullable().meta({ description: 'When it became approved, rejected, expired or cancelled' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BankApproval' });
export type BankApproval = z.output<typeof bankApproval>;

/** The fields of a wire that is asked for. `currency` is never converted. */
export const wireFields = {
  amount_cents: z.int().min(1),
  currency: currencyInput,
  beneficiary: beneficiaryInput,
  memo: optional(text(1, 500)),
  connection_id: optional(text(1, 255)),
};

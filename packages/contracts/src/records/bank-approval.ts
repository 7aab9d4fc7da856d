import { z } from 'zod';
import {
  countryInput,
  currency,
  currencyInput,
  id,
  identity,
  optional,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { approvalActor } from './api-key.ts';

export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'expired', 'cancelled']);
export type ApprovalStatus = z.output<typeof approvalStatus>;

export const approvalDecision = z.enum(['approve', 'reject']);

const beneficiary = z
  .object({
    name: z.string().describe('Name of the person or company that receives the money.'),
    bank_name: z.string().nullable().describe("Name of the beneficiary's bank; null if not given."),
    account_last4: z
      .string()
      .describe("Last four digits of the beneficiary's account number. The full number is never accepted."),
    country: z.string().nullable().describe("ISO 3166-1 alpha-2 code of the beneficiary's country; null if not given."),
  })
  .meta({ id: 'Beneficiary', description: 'The recipient of a wire.' });
export type Beneficiary = z.output<typeof beneficiary>;

export const beneficiaryInput = z
  .object(
    withDescriptionsOf(beneficiary, {
      name: text(1, 200),
      bank_name: optional(text(1, 200)),
      account_last4: z.string().regex(/^\d{4}$/, 'must be four digits'),
      country: optional(countryInput),
    }),
  )
  .meta({ id: 'BeneficiaryInput', description: 'The recipient of a wire.' });

const approvalReview = z
  .object({
    reviewer: approvalActor.describe('Who made the decision.'),
    decision: approvalDecision.describe('`approve` or `reject`.'),
    comment: z.string().nullable().describe("The reviewer's comment; null if there is none."),
    at: timestamp.describe('When the decision was made (UTC).'),
  })
  .meta({ id: 'ApprovalReview', description: "One person's decision on a wire approval." });
export type ApprovalReview = z.output<typeof approvalReview>;

export const bankApproval = z
  .object({
    ...identity('apr', 'bank_approval'),
    company_id: id('co'),
    connection_id: z.string().nullable().describe('Connection the wire is to be sent from; null if not given.'),
    kind: z.literal('wire').describe('Kind of payment; always `wire`.'),
    amount_cents: z.int().describe('Amount of the wire in minor units of `currency`.'),
    currency: currency.describe('ISO 4217 currency code of the amount. Nothing is converted.'),
    beneficiary: beneficiary.describe('Who receives the money.'),
    memo: z.string().nullable().describe('Reference for the beneficiary; null if not given.'),
    threshold_cents: z
      .int()
      .describe(
        "The company's approval threshold when the wire was requested, in minor units of `threshold_currency`.",
      ),
    threshold_currency: currency
      .nullable()
      .describe(
        "The company's base currency when the wire was requested; null for wires requested before it was recorded.",
      ),
    required_approvals: z.int().describe('Number of approvals the wire needs; 0 if it is below the threshold.'),
    reviews: z.array(approvalReview).describe('Decisions so far, oldest first.'),
    status: approvalStatus.describe('`pending` until enough approvals, one rejection, expiry or cancellation.'),
    requested_by: approvalActor.describe('Who requested the wire. The requester cannot decide.'),
    expires_at: timestamp.describe('When a pending wire expires (UTC), 72 hours after the request.'),
    decided_at: timestamp
      .nullable()
      .describe('When the wire was approved, rejected, cancelled or expired (UTC); null while pending.'),
    ...timestamps,
  })
  .meta({
    id: 'BankApproval',
    description:
      'A requested wire with its approvals. The service records the intent and the decisions; it moves no money.',
  });
export type BankApproval = z.output<typeof bankApproval>;

export const wireFields = withDescriptionsOf(bankApproval, {
  amount_cents: z.int().min(1),
  currency: currencyInput,
  beneficiary: beneficiaryInput,
  memo: optional(text(1, 500)),
  connection_id: optional(text(1, 255)),
});

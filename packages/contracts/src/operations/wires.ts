import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { approvalDecision, approvalStatus, bankApproval, wireFields } from '../records/bank-approval.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { wireContext } from '../records/wire-context.ts';
import { idParameter, optional, text } from '../scalars.ts';

const approvalResult = writeResult(bankApproval);

export const wireOperations = {
  wires: {
    create: defineOperation({
      summary: 'Record a wire and request its approval',
      description:
        "Records the intent; no money is moved. A wire at or above the company's threshold, or in another currency than its base currency, is `pending` and emits `bank.approval.required`; any other is `approved` at once, without an event. A threshold that the requester set does not raise the limit for their own wires. A pending wire expires after 72 hours.",
      http: { method: 'POST', path: '/companies/{company_id}/bank/wires', success: 201 },
      permission: 'wires:write',
      input: z.object({ company_id: idParameter, ...wireFields }),
      output: approvalResult,
      errors: ['company_dissolved', 'connection_disconnected'],
      emits: ['bank.approval.required'],
      example: {
        amount_cents: 2_500_000,
        currency: 'USD',
        beneficiary: { name: 'Example Machines Ltd', account_last4: '4321', country: 'US' },
        memo: 'Invoice 1042',
      },
    }),
  },
  approvals: {
    list: defineOperation({
      summary: "List the company's wires with their approvals, newest first",
      description:
        'Includes wires that needed no approval. A pending wire whose `expires_at` has passed is returned, and selected by `status`, as `expired`.',
      http: { method: 'GET', path: '/companies/{company_id}/bank/approvals' },
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: approvalStatus.optional().describe('Only wires with this status.'),
      }),
      output: listOf(bankApproval),
    }),
    get: defineOperation({
      summary: 'Read a wire with its approval',
      description: 'A pending wire whose `expires_at` has passed is returned as `expired`.',
      http: { method: 'GET', path: '/bank/approvals/{approval_id}' },
      input: z.object({ approval_id: idParameter }),
      output: bankApproval,
    }),
    context: defineOperation({
      summary: 'Read what is known about a wire',
      description:
        "For the person who decides: earlier payments to the beneficiary, whether this account of it was paid before, what agents ask and which critical flags are open about it, and the cash of the paying account after the payment. It has facts of stored records only: payments and wires from before this wire, requests, flags and cash as they are now. At most 50,000 transactions and 5,000 wires are read, the newest, and 1,000 pending requests and open flags of the company. An account counts as paid if a wire to it was approved, because transactions don't name the beneficiary's account.",
      http: { method: 'GET', path: '/bank/approvals/{approval_id}/context' },
      scopes: ['human', 'read'],
      input: z.object({ approval_id: idParameter }),
      output: wireContext,
      replica: true,
    }),
    decide: defineOperation({
      summary: 'Approve or reject a pending wire',
      description:
        'One rejection ends the request; approvals count up to `required_approvals`. The person who requested the wire cannot decide it with any of their keys (409 `self_review`). Repeating your own decision changes nothing; any other later decision is 409 `invalid_state_transition`. Emits no event: decisions are in the activity log.',
      http: { method: 'POST', path: '/bank/approvals/{approval_id}/decision' },
      permission: 'approvals:write',
      input: z.object({
        approval_id: idParameter,
        decision: approvalDecision.describe('Whether the wire is approved or rejected.'),
        comment: optional(text(1, 2000)).describe('Comment of the reviewer.'),
      }),
      output: approvalResult,
      errors: ['company_dissolved', 'invalid_state_transition', 'self_review'],
      example: { decision: 'approve', comment: 'Matches the order' },
    }),
    cancel: defineOperation({
      summary: 'Cancel a pending wire',
      description:
        'A pending wire may also be cancelled by the person who requested it. Emits no event. A repeat changes nothing, and a wire that was decided or has expired is 409 `invalid_state_transition`.',
      http: { method: 'POST', path: '/bank/approvals/{approval_id}/cancel' },
      permission: 'approvals:write',
      input: z.object({ approval_id: idParameter }),
      output: approvalResult,
      errors: ['company_dissolved', 'invalid_state_transition'],
    }),
  },
};

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { approvalDecision, approvalStatus, bankApproval, wireFields } from '../records/bank-approval.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { idParameter, optional, text } from '../scalars.ts';

const written = bankApproval.extend({ warnings: warnings.optional() });

/** The part of `bank` that asks for wires and decides on them. */
export const wireOperations = {
  wires: {
    create: defineOperation({
      id: 'bank.wires.create',
      kind: 'mutation',
      summary: "Ask for a wire; at or above the company's threshold it waits for another person. No money is moved",
      http: { method: 'POST', path: '/companies/{company_id}/bank/wires', success: 201 },
      scopes: ['human'],
      permission: 'wires:write',
      input: z.object({ company_id: idParameter, ...wireFields }),
      output: written,
      errors: ['company_not_found', 'company_dissolved', 'connection_disconnected'],
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
      id: 'bank.approvals.list',
      kind: 'query',
      summary: "List the company's wires with their approvals, newest first",
      http: { method: 'GET', path: '/companies/{company_id}/bank/approvals', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: approvalStatus.optional(),
      }),
      output: listOf(bankApproval),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
    get: defineOperation({
      id: 'bank.approvals.get',
      kind: 'query',
      summary: 'Read a wire with its approval',
      http: { method: 'GET', path: '/bank/approvals/{approval_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ approval_id: idParameter }),
      output: bankApproval,
      errors: ['not_found'],
      emits: [],
      example: {},
    }),
    decide: defineOperation({
      id: 'bank.approvals.decide',
      kind: 'mutation',
      summary: 'Approve or reject a pending wire that somebody else asked for',
      http: { method: 'POST', path: '/bank/approvals/{approval_id}/decision', success: 200 },
      scopes: ['human'],
      permission: 'approvals:write',
      input: z.object({ approval_id: idParameter, decision: approvalDecision, comment: optional(text(1, 2000)) }),
      output: written,
      errors: ['not_found', 'company_dissolved', 'invalid_state_transition', 'self_review'],
      emits: [],
      example: { decision: 'approve', comment: 'Matches the order' },
    }),
    cancel: defineOperation({
      id: 'bank.approvals.cancel',
      kind: 'mutation',
      summary: 'Cancel a pending wire',
      http: { method: 'POST', path: '/bank/approvals/{approval_id}/cancel', success: 200 },
      scopes: ['human'],
      permission: 'approvals:write',
      input: z.object({ approval_id: idParameter }),
      output: written,
      errors: ['not_found', 'company_dissolved', 'invalid_state_transition'],
      emits: [],
      example: {},
    }),
  },
};

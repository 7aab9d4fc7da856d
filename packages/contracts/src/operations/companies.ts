import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { company, companyChanges, companyFields, evidenceUrl, stepWithProgress } from '../records/company.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter, optional, text } from '../scalars.ts';

const companyResult = writeResult(company);

export const companyOperations = {
  create: defineOperation({
    summary: 'Create a company',
    description:
      'The company is `active`, or `forming` if `status` says so; a forming company gets the formation steps of its entity type. Emits `company.created`. A key limited to some companies cannot create others (403 `insufficient_scope`). An account has at most 1,000 companies that are not dissolved, unless its operator sets another quota (409 `limit_reached`).',
    http: { method: 'POST', path: '/companies', success: 201 },
    permission: 'companies:write',
    input: z.object({
      ...companyFields,
      status: optional(z.enum(['forming', 'active'])).describe('Status of the new company. The default is `active`.'),
    }),
    output: companyResult,
    errors: ['limit_reached'],
    emits: ['company.created'],
    example: { name: 'Acme Robotics', base_currency: 'USD', timezone: 'America/New_York' },
  }),
  get: defineOperation({
    summary: 'Read a company',
    description:
      'The company includes its formation steps and their progress. A company that the key has no access to is reported as 404 `company_not_found`.',
    http: { method: 'GET', path: '/companies/{company_id}' },
    input: z.object({ company_id: idParameter }),
    output: company,
  }),
  list: defineOperation({
    summary: 'List companies, newest first',
    description: 'Returns the companies that the key has access to, including dissolved ones.',
    http: { method: 'GET', path: '/companies' },
    input: z.object({
      ...pageParameters,
      status: z.enum(['forming', 'active', 'dissolved']).optional().describe('Only companies with this status.'),
      q: text(1, 200).optional().describe('Only companies whose name or legal name contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(company),
  }),
  update: defineOperation({
    summary: 'Update a company',
    description:
      'Changes only the fields that are sent. `null` clears a field that may be empty, and `metadata` is replaced as a whole. Emits `company.updated` with `changed` and `previous`; a request that changes nothing emits nothing. A new time zone or base currency converts no stored rows, and a new wire threshold does not affect wires that were requested before.',
    http: { method: 'PATCH', path: '/companies/{company_id}' },
    permission: 'companies:write',
    input: z.object({ company_id: idParameter, ...companyChanges }),
    output: companyResult,
    errors: ['company_dissolved'],
    emits: ['company.updated'],
    example: { legal_name: 'Acme Robotics Holding, Inc.', timezone: 'America/Chicago' },
  }),
  dissolve: defineOperation({
    summary: 'Dissolve a company permanently',
    description:
      'The company and its records stay readable, and later writes to them are rejected with 409 `company_dissolved`; its agents can still be detached and its bank connections disconnected. Emits `company.dissolved`. A forming company cannot be dissolved. A repeat changes nothing and keeps the first reason.',
    http: { method: 'POST', path: '/companies/{company_id}/dissolve' },
    permission: 'companies:write',
    input: z.object({
      company_id: idParameter,
      reason: optional(text(1, 1000)).describe('Reason of the dissolution.'),
    }),
    output: companyResult,
    errors: ['invalid_state_transition'],
    emits: ['company.dissolved'],
    example: { reason: 'Merged into Acme Holding' },
  }),
  formation: {
    completeStep: defineOperation({
      summary: 'Complete a formation step',
      description:
        'Emits `company.formation.step_completed`. Completing the last required step also makes a forming company `active` and emits `company.updated`. A step is completed once: a repeat returns it unchanged, including its note.',
      http: { method: 'POST', path: '/companies/{company_id}/formation/steps/{step_key}/complete' },
      permission: 'companies:write',
      input: z.object({
        company_id: idParameter,
        step_key: idParameter.describe("Key of the formation step, as in the company's `formation`."),
        note: optional(text(1, 2000)).describe('Note about how the step was completed.'),
        evidence_url: optional(evidenceUrl).describe('Address of a document that proves the completion.'),
      }),
      output: writeResult(stepWithProgress),
      errors: ['company_dissolved'],
      emits: ['company.formation.step_completed', 'company.updated'],
      example: { note: 'Filed by the registered agent' },
    }),
  },
};

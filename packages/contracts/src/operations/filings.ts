import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { filing, filingInput, filingStatus, filingType, submissionInput } from '../records/filing.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { idParameter, instant, localDate, optional } from '../scalars.ts';

export const filingOperations = {
  create: defineOperation({
    id: 'filings.create',
    kind: 'mutation',
    summary: 'Open a filing',
    http: { method: 'POST', path: '/companies/{company_id}/filings', success: 201 },
    scopes: ['human'],
    permission: 'filings:write',
    input: z.object({ company_id: idParameter, ...filingInput }),
    output: filing.extend({ warnings: warnings.optional() }),
    errors: ['company_not_found', 'company_dissolved'],
    emits: ['filing.due'],
    example: {
      type: 'annual_report',
      title: 'Delaware annual report',
      jurisdiction: 'US-DE',
      due_date: '2027-03-01',
    },
  }),
  get: defineOperation({
    id: 'filings.get',
    kind: 'query',
    summary: 'Read a filing',
    http: { method: 'GET', path: '/filings/{filing_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ filing_id: idParameter }),
    output: filing,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  list: defineOperation({
    id: 'filings.list',
    kind: 'query',
    summary: 'List filings, latest due date first',
    http: { method: 'GET', path: '/companies/{company_id}/filings', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      company_id: idParameter,
      ...pageParameters,
      status: filingStatus.optional(),
      type: filingType.optional(),
      due_from: localDate.optional(),
      due_to: localDate.optional(),
      overdue: z.boolean().optional(),
      ...timeFilters,
    }),
    output: listOf(filing),
    errors: ['company_not_found', 'invalid_cursor'],
    emits: [],
    example: {},
  }),
  submit: defineOperation({
    id: 'filings.submit',
    kind: 'mutation',
    summary: 'Mark an open filing submitted; a filing that is submitted already stays as it is',
    http: { method: 'POST', path: '/filings/{filing_id}/submit', success: 200 },
    scopes: ['human'],
    permission: 'filings:write',
    input: z.object({ filing_id: idParameter, submitted_at: optional(instant), ...submissionInput }),
    output: filing.extend({ warnings: warnings.optional() }),
    errors: ['not_found', 'company_dissolved'],
    emits: ['filing.submitted'],
    example: { confirmation_number: 'DE-2026-118842' },
  }),
};

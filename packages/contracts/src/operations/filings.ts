import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { filing, filingInput, filingStatus, filingType, submissionInput } from '../records/filing.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter, instant, localDate, optional } from '../scalars.ts';

const filingResult = writeResult(filing);

export const filingOperations = {
  create: defineOperation({
    summary: 'Create an open filing',
    description:
      'Emits `filing.due`, whatever the due date. Without a `title` the filing is named after its type, and `fee_cents` requires a `currency`.',
    http: { method: 'POST', path: '/companies/{company_id}/filings', success: 201 },
    permission: 'filings:write',
    input: z.object({ company_id: idParameter, ...filingInput }),
    output: filingResult,
    errors: ['company_dissolved'],
    emits: ['filing.due'],
    example: {
      type: 'annual_report',
      title: 'Delaware annual report',
      jurisdiction: 'US-DE',
      due_date: '2027-03-01',
    },
  }),
  get: defineOperation({
    summary: 'Read a filing',
    description: "Whether the filing is overdue is judged by today's date in the company's time zone.",
    http: { method: 'GET', path: '/filings/{filing_id}' },
    input: z.object({ filing_id: idParameter }),
    output: filing,
  }),
  list: defineOperation({
    summary: 'List filings, latest due date first',
    description: 'Rows are sorted by `due_date` and include filings that a compliance resync opened.',
    http: { method: 'GET', path: '/companies/{company_id}/filings' },
    input: z.object({
      company_id: idParameter,
      ...pageParameters,
      status: filingStatus.optional().describe('Only filings with this status.'),
      type: filingType.optional().describe('Only filings of this type.'),
      due_from: localDate.optional().describe('Only filings due on this day or later.'),
      due_to: localDate.optional().describe('Only filings due on this day or earlier.'),
      overdue: z.boolean().optional().describe('`true` for open filings past their due date, `false` for all others.'),
      ...timeFilters,
    }),
    output: listOf(filing),
  }),
  submit: defineOperation({
    summary: 'Mark a filing as submitted',
    description:
      'Emits `filing.submitted`. A filing is submitted once: a repeat returns it unchanged with the warning `already_submitted`, one for each field that was ignored. To take a submission back, reopen the filing within ten minutes; later, create a new filing for a correction.',
    http: { method: 'POST', path: '/filings/{filing_id}/submit' },
    permission: 'filings:write',
    input: z.object({
      filing_id: idParameter,
      submitted_at: optional(instant).describe(
        'When the filing was submitted. The default is now; it cannot be in the future.',
      ),
      ...submissionInput,
    }),
    output: filingResult,
    errors: ['company_dissolved'],
    emits: ['filing.submitted'],
    example: { confirmation_number: 'DE-2026-118842' },
  }),
  reopen: defineOperation({
    summary: 'Reopen a filing that was submitted by mistake',
    description:
      'Takes a submission back within ten minutes of the request that submitted the filing, whatever its `submitted_at` says. The filing is `open` again, without its confirmation number; fee, currency and notes stay. Emits `filing.reopened`. Later, or if the filing is not submitted, the request is 409 `invalid_state_transition`; `reopenable_until` says when the ten minutes ended.',
    http: { method: 'POST', path: '/filings/{filing_id}/reopen' },
    permission: 'filings:write',
    input: z.object({ filing_id: idParameter }),
    output: filingResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
    emits: ['filing.reopened'],
  }),
};

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  caseChanges,
  caseInput,
  casePriority,
  caseRecord,
  caseStatus,
  comment,
  commentInput,
  commentVisibility,
} from '../records/case.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter, text } from '../scalars.ts';

const caseResult = writeResult(caseRecord);

export const caseOperations = {
  create: defineOperation({
    summary: 'Open a case',
    description: 'The case is `open`. Emits no event: changes of cases are in the activity log.',
    http: { method: 'POST', path: '/companies/{company_id}/cases', success: 201 },
    permission: 'cases:write',
    input: z.object({ company_id: idParameter, ...caseInput }),
    output: caseResult,
    errors: ['company_dissolved'],
    example: { title: 'Notice from the Delaware Division of Corporations', priority: 'high' },
  }),
  get: defineOperation({
    summary: 'Read a case',
    description: 'Comments are not part of the case; list them separately.',
    http: { method: 'GET', path: '/cases/{case_id}' },
    input: z.object({ case_id: idParameter }),
    output: caseRecord,
  }),
  list: defineOperation({
    summary: 'List the cases of a company, newest first',
    description: 'Includes closed cases. Set `status` to select open ones.',
    http: { method: 'GET', path: '/companies/{company_id}/cases' },
    input: z.object({
      company_id: idParameter,
      ...pageParameters,
      status: caseStatus.optional().describe('Only cases with this status.'),
      priority: casePriority.optional().describe('Only cases of this priority.'),
      q: text(1, 200).optional().describe('Only cases whose title or description contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(caseRecord),
  }),
  update: defineOperation({
    summary: 'Update a case',
    description:
      'Changes only the fields that are sent; `null` clears a field that may be empty. `status` moves the case between `open` and `waiting`, closes it or reopens it. Emits no event.',
    http: { method: 'PATCH', path: '/cases/{case_id}' },
    permission: 'cases:write',
    input: z.object({ case_id: idParameter, ...caseChanges }),
    output: caseResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
    example: { status: 'waiting', assignee: { type: 'staff', id: 'maria', name: 'Maria' } },
  }),
  comments: {
    create: defineOperation({
      summary: 'Comment on a case',
      description:
        'Emits `case.comment_posted`, except for comments by agents. A comment cannot be changed or deleted, and does not reopen a closed case. Internal comments are hidden from keys of scope `read` and sent only to endpoints with `include_internal`. An agent needs to be attached to the company or the case, and not paused there.',
      http: { method: 'POST', path: '/cases/{case_id}/comments', success: 201 },
      scopes: ['human', 'agent'],
      permission: 'cases:write',
      input: z.object({ case_id: idParameter, ...commentInput }),
      output: writeResult(comment),
      errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
      emits: ['case.comment_posted'],
      example: { body: 'The notice came by mail today.' },
    }),
    list: defineOperation({
      summary: 'List the comments on a case, newest first',
      description: 'A key of scope `read` gets public comments only.',
      http: { method: 'GET', path: '/cases/{case_id}/comments' },
      input: z.object({
        case_id: idParameter,
        ...pageParameters,
        visibility: commentVisibility.optional().describe('Only comments of this visibility.'),
        ...timeFilters,
      }),
      output: listOf(comment),
    }),
  },
};

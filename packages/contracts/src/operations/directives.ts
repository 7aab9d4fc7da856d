import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  directive,
  directiveInput,
  directivePriority,
  directiveResolution,
  directiveStatus,
} from '../records/directive.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter, optional, text } from '../scalars.ts';

const directiveResult = writeResult(directive);

export const directiveOperations = {
  create: defineOperation({
    summary: 'Issue a directive',
    description:
      'The directive applies to the company, or to one of its cases or agents; an agent must be attached to the company. Emits `directive.issued`. `due_at` may lie in the past.',
    http: { method: 'POST', path: '/companies/{company_id}/directives', success: 201 },
    permission: 'directives:write',
    input: z.object({ company_id: idParameter, ...directiveInput }),
    output: directiveResult,
    errors: ['company_dissolved'],
    emits: ['directive.issued'],
    example: { title: 'Pay no invoice above 500 USD without asking', priority: 'critical' },
  }),
  get: defineOperation({
    summary: 'Read a directive',
    description: 'Includes directives that are suspended or resolved.',
    http: { method: 'GET', path: '/directives/{directive_id}' },
    input: z.object({ directive_id: idParameter }),
    output: directive,
  }),
  list: defineOperation({
    summary: 'List the directives of a company, newest first',
    description: 'Includes suspended and resolved directives; `q` searches titles and bodies.',
    http: { method: 'GET', path: '/companies/{company_id}/directives' },
    input: z.object({
      company_id: idParameter,
      ...pageParameters,
      status: directiveStatus.optional().describe('Only directives with this status.'),
      priority: directivePriority.optional().describe('Only directives of this priority.'),
      case_id: idParameter.optional().describe('Only directives to this case.'),
      agent_id: idParameter.optional().describe('Only directives to this agent.'),
      q: text(1, 200).optional().describe('Only directives whose title or body contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(directive),
  }),
  suspend: defineOperation({
    summary: 'Suspend an issued directive',
    description:
      'Emits `directive.suspended`. A repeat changes nothing and keeps the first reason. A resolved directive is 409 `invalid_state_transition`.',
    http: { method: 'POST', path: '/directives/{directive_id}/suspend' },
    permission: 'directives:write',
    input: z.object({
      directive_id: idParameter,
      reason: optional(text(1, 500)).describe('Reason of the suspension.'),
    }),
    output: directiveResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
    emits: ['directive.suspended'],
    example: { reason: 'Under review' },
  }),
  resume: defineOperation({
    summary: 'Resume a suspended directive',
    description:
      'Emits `directive.issued` with `resumed: true`. A repeat changes nothing. A resolved directive is 409 `invalid_state_transition`.',
    http: { method: 'POST', path: '/directives/{directive_id}/resume' },
    permission: 'directives:write',
    input: z.object({ directive_id: idParameter }),
    output: directiveResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
    emits: ['directive.issued'],
  }),
  resolve: defineOperation({
    summary: 'Resolve a directive permanently',
    description:
      'Emits `directive.resolved`. Both issued and suspended directives can be resolved. A repeat changes nothing, and `warnings` names the fields that were ignored.',
    http: { method: 'POST', path: '/directives/{directive_id}/resolve' },
    permission: 'directives:write',
    input: z.object({
      directive_id: idParameter,
      resolution: optional(directiveResolution).describe('How the directive was resolved. The default is `completed`.'),
      note: optional(text(1, 2000)).describe('Note about the resolution.'),
    }),
    output: directiveResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
    emits: ['directive.resolved'],
    example: { resolution: 'superseded', note: 'A new policy says more' },
  }),
};

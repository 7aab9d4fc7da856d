import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { agent, agentBinding, agentFields, agentStatus } from '../records/agent.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter, optional, sampleId, text } from '../scalars.ts';

const reason = optional(text(1, 500)).describe('Reason of the change, kept in its event.');
const bindingTarget = {
  company_id: optional(idParameter).describe('ID of the company of the binding; absent for the agent as a whole.'),
  case_id: optional(idParameter).describe('ID of the case, for the binding to one case of the company.'),
};
const agentResult = writeResult(agent);
const moved = writeResult(
  agent
    .extend({
      binding: agentBinding.nullable().describe('The binding that was changed; null if it is the agent as a whole.'),
    })
    .meta({ id: 'MovedAgent' }),
);
const exampleCompany = sampleId('co');

export const agentOperations = {
  create: defineOperation({
    summary: 'Create an agent',
    description:
      'The agent is `active`, and attached to the company if `company_id` is sent. Emits `agent.linked`. A key limited to some companies must send `company_id`. An account has at most 500 agents, detached ones included, unless its operator sets another quota (409 `limit_reached`).',
    http: { method: 'POST', path: '/agents', success: 201 },
    permission: 'agents:write',
    input: z.object({
      ...agentFields,
      company_id: optional(idParameter).describe('ID of a company to attach the agent to.'),
    }),
    output: agentResult,
    errors: ['limit_reached', 'company_not_found', 'company_dissolved'],
    emits: ['agent.linked'],
    example: { name: 'Bookkeeper', provider: 'example', model: 'ledger-2', email: 'bookkeeper@example.com' },
  }),
  get: defineOperation({
    summary: 'Read an agent with its bindings',
    description:
      'A key limited to some companies gets the bindings to those only. A key of scope `agent` can read its own agent only.',
    http: { method: 'GET', path: '/agents/{agent_id}' },
    input: z.object({ agent_id: idParameter }),
    output: agent,
  }),
  list: defineOperation({
    summary: 'List agents, newest first',
    description:
      'A key of scope `agent` gets its own agent only. A key limited to some companies gets the agents that are or were attached to one of them.',
    http: { method: 'GET', path: '/agents' },
    input: z.object({
      ...pageParameters,
      status: agentStatus.optional().describe('Only agents with this status.'),
      provider: text(1, 100).optional().describe('Only agents of this provider.'),
      company_id: idParameter.optional().describe('Only agents that are attached to this company.'),
      q: text(1, 200).optional().describe('Only agents whose name or email contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(agent),
  }),
  update: defineOperation({
    summary: 'Update an agent',
    description:
      'Changes only the fields that are sent. Emits `agent.updated` when name, provider, model, phone or email changes; a change of `metadata` alone is in the activity log only.',
    http: { method: 'PATCH', path: '/agents/{agent_id}' },
    permission: 'agents:write',
    input: z.object({
      agent_id: idParameter,
      ...agentFields,
      name: agentFields.name.optional(),
      provider: agentFields.provider.optional(),
    }),
    output: agentResult,
    emits: ['agent.updated'],
    example: { model: 'ledger-3' },
  }),
  pause: defineOperation({
    summary: 'Pause an agent, or its binding to one company',
    description:
      'Without `company_id` the whole agent is paused. While it is paused, its new actions, approval requests, comments and runtime snapshots are rejected with 409 `invalid_state_transition`; actions that began before can still be finished. Emits `agent.paused`. A repeat changes nothing.',
    http: { method: 'POST', path: '/agents/{agent_id}/pause' },
    permission: 'agents:write',
    input: z.object({ agent_id: idParameter, ...bindingTarget, reason }),
    output: moved,
    errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
    emits: ['agent.paused'],
    example: { reason: 'Under review' },
  }),
  resume: defineOperation({
    summary: 'Resume an agent, or its binding to one company',
    description:
      'Without `company_id` the agent itself is resumed; a binding that was paused separately stays paused. Emits `agent.resumed`. A repeat changes nothing. A binding that has ended is 409 `invalid_state_transition`: attach the agent again.',
    http: { method: 'POST', path: '/agents/{agent_id}/resume' },
    permission: 'agents:write',
    input: z.object({ agent_id: idParameter, ...bindingTarget, reason }),
    output: moved,
    errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
    emits: ['agent.resumed'],
    example: { reason: 'Reviewed' },
  }),
  attach: defineOperation({
    summary: 'Attach an agent to a company, or to one case of it',
    description:
      'Emits `agent.linked` for a new binding, and again when the agent was detached before. If the agent is already attached, only `role` is updated, without an event. Attaching does not resume a paused agent.',
    http: {
      method: 'POST',
      path: '/agents/{agent_id}/attach',
      status: (output: { result: string }) => (output.result === 'created' ? 201 : 200),
    },
    permission: 'agents:write',
    input: z.object({
      agent_id: idParameter,
      company_id: idParameter.describe('ID of the company that the agent works for (`co_…`).'),
      case_id: bindingTarget.case_id,
      role: optional(text(1, 100)).describe('What the agent does for the company, chosen by the caller.'),
    }),
    output: moved
      .extend({
        result: z
          .enum(['created', 'updated', 'unchanged'])
          .describe('Whether the binding is new, was changed, or was already like this.'),
      })
      .meta({ id: 'AttachedAgentResult', description: 'The agent after it was attached or detached.' }),
    errors: ['company_not_found', 'company_dissolved'],
    emits: ['agent.linked'],
    example: { company_id: exampleCompany, role: 'bookkeeper' },
  }),
  detach: defineOperation({
    summary: 'Detach an agent from a company and all its cases, or from one case of it',
    description:
      'Emits `agent.unlinked` for each binding that ends. Without `case_id`, the bindings to all cases of the company end too. Agents of a dissolved company can be detached. A repeat changes nothing.',
    http: { method: 'POST', path: '/agents/{agent_id}/detach' },
    permission: 'agents:write',
    input: z.object({
      agent_id: idParameter,
      company_id: idParameter.describe('ID of the company that the agent works for (`co_…`).'),
      case_id: bindingTarget.case_id,
      reason,
    }),
    output: moved,
    errors: ['company_not_found', 'invalid_state_transition'],
    emits: ['agent.unlinked'],
    example: { company_id: exampleCompany, reason: 'Engagement ended' },
  }),
};

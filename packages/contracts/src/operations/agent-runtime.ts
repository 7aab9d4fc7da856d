import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  actionStatus,
  agentAction,
  agentApproval,
  agentApprovalDecision,
  agentApprovalStatus,
  agentFlag,
  flagSeverity,
  flagStatus,
  outcomeFields,
  payloadInput,
  riskInput,
} from '../records/agent-runtime.ts';
import { listOf, pageParameters, timeFilters, warnings, writeResult } from '../records/list.ts';
import { idParameter, instant, optional, sampleId, text } from '../scalars.ts';

const agentFlagResult = writeResult(agentFlag);
const agentApprovalResult = writeResult(agentApproval);

const exampleCompany = sampleId('co');
const listOfAgent = {
  agent_id: idParameter,
  ...pageParameters,
  company_id: idParameter.optional().describe('Only records of this company.'),
  ...timeFilters,
};

export const agentActionOperations = {
  create: defineOperation({
    summary: 'Log an action of an agent',
    description:
      'Emits `agent.action.logged`; if `status` is sent with an outcome, the event of that outcome follows. The agent must be attached to the company and not paused. An `external_id` that the agent used before returns the stored action with `result: "unchanged"`, and a warning names what differs. Values that look like credentials are redacted before they are stored.',
    http: {
      method: 'POST',
      path: '/agents/{agent_id}/actions',
      status: (output: { result: string }) => (output.result === 'created' ? 201 : 200),
    },
    scopes: ['agent', 'human'],
    permission: 'runtime:write',
    input: z.object({
      agent_id: idParameter,
      company_id: idParameter.describe('ID of the company the agent acts for.'),
      case_id: optional(idParameter).describe(
        'ID of the case the action belongs to. It must be a case of the company.',
      ),
      run_id: optional(text(1, 255)).describe("The runtime's own ID of the run the action is part of."),
      external_id: optional(text(1, 255)).describe(
        "The caller's own ID of the action, unique per agent. A repeat returns the stored action.",
      ),
      type: text(1, 100).describe('Kind of action, chosen by the caller, for example `email.send`.'),
      title: optional(text(1, 200)).describe('One line that describes the action to people. The default is `type`.'),
      status: optional(actionStatus).describe('`logged` (the default) for an action that has begun, or its outcome.'),
      risk: riskInput.describe('Risk that the agent assigns to the action.'),
      input: payloadInput.describe(
        'Input of the action as free JSON, at most 16 KiB. Values that look like credentials are redacted before storage.',
      ),
      ...outcomeFields,
      started_at: optional(instant).describe('When the action began. The default is now.'),
      finished_at: optional(instant).describe(
        'When the action ended. The default is now; only for `completed` and `failed`.',
      ),
    }),
    output: agentAction
      .extend({
        result: z.enum(['created', 'unchanged']).describe('`unchanged` if the `external_id` was already stored.'),
        warnings,
      })
      .meta({ id: 'AgentActionLog', description: 'The logged action, with what the request changed.' }),
    errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
    emits: ['agent.action.logged', 'agent.action.completed', 'agent.action.failed', 'agent.action.blocked'],
    example: {
      type: 'email.send',
      company_id: exampleCompany,
      title: 'Ask the vendor for a missing invoice',
      status: 'blocked',
      risk: 'low',
      input: { to: 'vendor@example.com', subject: 'Invoice of February' },
      blocked: { reason: 'The recipient is not on the list', policy: 'outbound-email' },
    },
  }),
  list: defineOperation({
    summary: 'List the actions of an agent, newest first',
    description: 'A key of scope `agent` can list the actions of its own agent only.',
    http: { method: 'GET', path: '/agents/{agent_id}/actions' },
    input: z.object({
      ...listOfAgent,
      status: actionStatus.optional().describe('Only actions with this status.'),
      type: text(1, 100).optional().describe('Only actions of this type.'),
      run_id: text(1, 255).optional().describe('Only actions of this run.'),
      external_id: text(1, 255).optional().describe('Only the action with this `external_id`.'),
      case_id: idParameter.optional().describe('Only actions that belong to this case.'),
    }),
    output: listOf(agentAction),
  }),
  get: defineOperation({
    summary: 'Read an action',
    description: 'A key of scope `agent` can read actions of its own agent only.',
    http: { method: 'GET', path: '/agent-actions/{action_id}' },
    input: z.object({ action_id: idParameter }),
    output: agentAction,
  }),
  update: defineOperation({
    summary: 'Record the outcome of an action',
    description:
      'Emits the event of the new status. `failed` requires `error`, and `blocked` requires `blocked`. Repeating the current status changes nothing. The action of a paused agent can still be completed.',
    http: { method: 'PATCH', path: '/agent-actions/{action_id}' },
    scopes: ['agent', 'human'],
    permission: 'runtime:write',
    input: z.object({
      action_id: idParameter,
      status: actionStatus
        .exclude(['logged'])
        .describe('Outcome of the action. A blocked action can still become `completed` or `failed`.'),
      ...outcomeFields,
      finished_at: optional(instant).describe(
        'When the action ended. The default is now; only for `completed` and `failed`.',
      ),
    }),
    output: writeResult(agentAction),
    errors: ['company_dissolved', 'invalid_state_transition'],
    emits: ['agent.action.completed', 'agent.action.failed', 'agent.action.blocked'],
    example: { status: 'completed', output: { message_id: 'msg-1' }, duration_ms: 840 },
  }),
};

const approvalOption = z
  .union([
    text(1, 100),
    z
      .object({
        label: text(1, 100).describe('Text of the choice.'),
        decision: agentApprovalDecision.describe('The decision that it makes.'),
      })
      .meta({ id: 'LabelledOptionInput', description: 'A choice for the reviewer, with the decision that it makes.' }),
  ])
  .meta({ id: 'ApprovalOptionInput', description: 'A choice for the reviewer: a text, or a label with its decision.' });

export const agentApprovalOperations = {
  request: defineOperation({
    summary: 'Request approval for an action of an agent',
    description:
      'Emits `agent.approval.requested`. The agent must be attached to the company and not paused. If `expires_at` passes without a decision the request becomes `expired`, which emits `agent.approval.decided` within a minute; it is never approved by waiting.',
    http: { method: 'POST', path: '/agents/{agent_id}/approvals', success: 201 },
    scopes: ['agent', 'human'],
    permission: 'runtime:write',
    input: z.object({
      agent_id: idParameter,
      company_id: idParameter.describe('ID of the company the agent acts for.'),
      action_id: optional(idParameter).describe(
        'ID of the action that needs approval. It must be an action of the agent for the company.',
      ),
      title: text(1, 200).describe('One line that says what is to be approved.'),
      description: optional(text(1, 5000)).describe('Longer explanation for the reviewer.'),
      payload: payloadInput.describe(
        'What is to be approved, as free JSON of at most 16 KiB. Values that look like credentials are redacted before storage.',
      ),
      risk: riskInput.describe('Risk that the agent assigns to the request.'),
      options: optional(z.array(approvalOption).max(20)).describe(
        "Choices offered to the reviewer, who may name one: each a text, or a label with its decision. A text denies if all of it is `deny`, `denied`, `reject`, `rejected`, `decline`, `refuse` or `no`, or if it begins with the word `deny`, `reject`, `decline`, `refuse`, `never` or `don't`, with the words `do not`, or with `no` before a comma, full stop, dash or `thanks`, in any case; any other text approves.",
      ),
      expires_at: optional(instant).describe(
        'When the request expires if nobody decides. It must be in the future; without it the request does not expire.',
      ),
    }),
    output: agentApprovalResult,
    errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
    emits: ['agent.approval.requested'],
    emitsLater: ['agent.approval.decided'],
    example: {
      title: 'Send the reminder to the vendor',
      company_id: exampleCompany,
      payload: { to: 'vendor@example.com', template: 'reminder' },
      risk: 'medium',
    },
  }),
  list: defineOperation({
    summary: 'List the approval requests of an agent, newest first',
    description:
      'A pending request whose `expires_at` has passed is returned as `expired`. A key of scope `agent` can list the requests of its own agent only.',
    http: { method: 'GET', path: '/agents/{agent_id}/approvals' },
    input: z.object({
      ...listOfAgent,
      status: agentApprovalStatus.optional().describe('Only requests with this status.'),
      action_id: idParameter.optional().describe('Only requests for this action.'),
    }),
    output: listOf(agentApproval),
  }),
  get: defineOperation({
    summary: 'Read an approval',
    description:
      'A pending request whose `expires_at` has passed is returned as `expired`. A key of scope `agent` can read requests of its own agent only.',
    http: { method: 'GET', path: '/agent-approvals/{agent_approval_id}' },
    input: z.object({ agent_approval_id: idParameter }),
    output: agentApproval,
  }),
  decide: defineOperation({
    summary: 'Approve or deny a request of an agent',
    description:
      'Emits `agent.approval.decided`. An `option` must make the same decision as `decision` (422 `option_contradicts_decision`); see `option_decisions` of the request. The decision is final: the same caller may repeat it, and any other later decision is 409 `invalid_state_transition`. The person who made the request cannot decide it with any of their keys (409 `self_review`); what the agent requested with its own key may be decided by the person who created that key.',
    http: { method: 'POST', path: '/agent-approvals/{agent_approval_id}/decision' },
    permission: 'approvals:write',
    input: z.object({
      agent_approval_id: idParameter,
      decision: agentApprovalDecision.describe('Whether the agent may do what it asked for.'),
      comment: optional(text(1, 2000)).describe('Comment of the reviewer.'),
      option: optional(text(1, 100)).describe('One of the `options` of the request.'),
      edited_payload: payloadInput.describe(
        'The payload as the reviewer changed it, at most 16 KiB. Only with `approve`.',
      ),
    }),
    output: agentApprovalResult,
    errors: ['company_dissolved', 'invalid_state_transition', 'self_review', 'option_contradicts_decision'],
    emits: ['agent.approval.decided'],
    example: { decision: 'approve', comment: 'Go ahead' },
  }),
  cancel: defineOperation({
    summary: 'Withdraw a pending request for approval',
    description:
      'Emits no event. A repeat changes nothing, and a request that was decided or has expired is 409 `invalid_state_transition`.',
    http: { method: 'POST', path: '/agent-approvals/{agent_approval_id}/cancel' },
    scopes: ['agent', 'human'],
    permission: 'runtime:write',
    input: z.object({ agent_approval_id: idParameter }),
    output: agentApprovalResult,
    errors: ['company_dissolved', 'invalid_state_transition'],
  }),
};

export const agentFlagOperations = {
  create: defineOperation({
    summary: 'Raise a flag about an agent',
    description: 'Emits `agent.flag.created`. The agent may be paused or already detached from the company.',
    http: { method: 'POST', path: '/agents/{agent_id}/flags', success: 201 },
    permission: 'runtime:write',
    input: z.object({
      agent_id: idParameter,
      company_id: idParameter.describe(
        'ID of the company the flag concerns. The agent must be or have been attached to it.',
      ),
      action_id: optional(idParameter).describe(
        'ID of the action that is flagged. It must be an action of the agent for the company.',
      ),
      case_id: optional(idParameter).describe('ID of the case the flag concerns. It must be a case of the company.'),
      severity: optional(flagSeverity).describe('How serious the problem is. The default is `warning`.'),
      title: text(1, 200).describe('One line that says what is wrong.'),
      body: optional(text(1, 5000)).describe('Details of the problem.'),
    }),
    output: agentFlagResult,
    errors: ['company_not_found', 'company_dissolved'],
    emits: ['agent.flag.created'],
    example: { title: 'Wrong tone in an email', company_id: exampleCompany, severity: 'warning' },
  }),
  list: defineOperation({
    summary: 'List the flags of an agent, newest first',
    description: 'Includes resolved flags. A key of scope `agent` can list the flags about its own agent only.',
    http: { method: 'GET', path: '/agents/{agent_id}/flags' },
    input: z.object({
      ...listOfAgent,
      status: flagStatus.optional().describe('Only flags with this status.'),
      severity: flagSeverity.optional().describe('Only flags of this severity.'),
      action_id: idParameter.optional().describe('Only flags about this action.'),
    }),
    output: listOf(agentFlag),
  }),
  get: defineOperation({
    summary: 'Read a flag',
    description: 'A key of scope `agent` can read flags about its own agent only.',
    http: { method: 'GET', path: '/flags/{flag_id}' },
    input: z.object({ flag_id: idParameter }),
    output: agentFlag,
  }),
  resolve: defineOperation({
    summary: 'Resolve a flag',
    description: 'Emits `agent.flag.resolved`. A repeat changes nothing and keeps the first note.',
    http: { method: 'POST', path: '/flags/{flag_id}/resolve' },
    permission: 'runtime:write',
    input: z.object({ flag_id: idParameter, note: optional(text(1, 2000)).describe('How the problem was resolved.') }),
    output: agentFlagResult,
    errors: ['company_dissolved'],
    emits: ['agent.flag.resolved'],
    example: { note: 'The template was corrected' },
  }),
};

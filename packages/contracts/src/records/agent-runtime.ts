import { z } from 'zod';
import { currency, currencyInput, id, identity, optional, secret, text, timestamp, timestamps } from '../scalars.ts';
import { actor, approvalActor } from './api-key.ts';

/** Bytes of JSON of an action's input or output, or of an approval's payload. */
export const MAX_PAYLOAD_BYTES = 16 * 1024;
/** Bytes of JSON of a checkpoint. Its event omits one above `MAX_PAYLOAD_BYTES`. */
export const MAX_CHECKPOINT_BYTES = 64 * 1024;

export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').length;
}

// PostgreSQL cannot store NUL and lone surrogates in values or keys.
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorable(member));
}

/** JSON of at most `max` bytes; `null` means absent. The verb redacts credentials. */
function freeJson(max: number) {
  return secret(
    z.unknown().superRefine((value, context) => {
      if (jsonBytes(value) > max) {
        const message = `must have at most ${max} bytes as JSON`;
        context.addIssue({ code: 'custom', message, params: { code: 'too_long' } });
      } else if (!isStorable(value)) {
        const message = 'must not contain NUL or unpaired surrogates';
        context.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } });
      }
    }),
  ).optional();
}

export const payloadInput = freeJson(MAX_PAYLOAD_BYTES);
export const checkpointInput = freeJson(MAX_CHECKPOINT_BYTES);

export const risk = z.enum(['low', 'medium', 'high']);
export const riskInput = optional(risk);

const count = z.int().min(0);

export const actionStatus = z.enum(['logged', 'completed', 'failed', 'blocked']);

export const outcomeFields = {
  output: payloadInput.describe(
    'Result of the action as free JSON, at most 16 KiB. Values that look like credentials are redacted before storage.',
  ),
  error: optional(
    z
      .object({
        code: text(1, 100).describe('Stable error code chosen by the caller.'),
        message: text(1, 2000).describe('Explanation of the error.'),
      })
      .meta({ id: 'ActionErrorInput', description: 'Why an action failed.' }),
  ).describe('Why the action failed. Required with `status: failed`, rejected with any other status.'),
  blocked: optional(
    z
      .object({
        reason: text(1, 2000).describe('Why the action was stopped.'),
        policy: optional(text(1, 200)).describe('Name of the policy that stopped it.'),
        approval_id: optional(text(1, 255)).describe('ID of the agent approval it waits for (`aap_…`).'),
      })
      .meta({ id: 'ActionBlockInput', description: 'What stopped an action.' }),
  ).describe('What stopped the action. Required with `status: blocked`, rejected with any other status.'),
  cost: optional(
    z
      .object({
        input_tokens: optional(count).describe('Input tokens used by the model.'),
        output_tokens: optional(count).describe('Output tokens produced by the model.'),
        cost_micros: optional(count).describe("Cost in millionths of the currency's main unit."),
        currency: optional(currencyInput).describe('ISO 4217 currency code of `cost_micros`.'),
      })
      .meta({ id: 'ActionCostInput', description: 'What an action consumed.' }),
  ).describe('What the action consumed.'),
  duration_ms: optional(count).describe('How long the action took, in milliseconds.'),
};

export const agentAction = z
  .object({
    ...identity('act', 'agent_action'),
    agent_id: id('agent'),
    company_id: id('co'),
    case_id: id('case')
      .nullable()
      .describe('ID of the case the action belongs to (`case_…`); null if it belongs to none.'),
    run_id: z.string().nullable().describe("The runtime's own ID of the run the action is part of; null if not given."),
    external_id: z
      .string()
      .nullable()
      .describe("The caller's own ID of the action, unique per agent; null if not given."),
    type: z
      .string()
      .meta({ examples: ['email.send'] })
      .describe('Kind of action, chosen by the caller, for example `email.send`.'),
    title: z.string().describe('One line that describes the action to people.'),
    status: actionStatus.describe(
      '`logged` while the action is in progress; `completed`, `failed` or `blocked` once its outcome is known.',
    ),
    risk: risk.nullable().describe('Risk that the agent assigned to the action; null if not given.'),
    input: z
      .unknown()
      .describe(
        'Input of the action as free JSON, at most 16 KiB. Values of keys that look like secrets are replaced by "[redacted]" before storage.',
      ),
    output: z.unknown().describe('Result of the action as free JSON, redacted like `input`; null until there is one.'),
    error: z
      .object({
        code: z.string().describe('Stable error code chosen by the caller.'),
        message: z.string().describe('Explanation of the error.'),
      })
      .nullable()
      .describe('Why the action failed; null unless `status` is `failed`.'),
    blocked: z
      .object({
        reason: z.string().describe('Why the action was stopped.'),
        policy: z.string().nullable().describe('Name of the policy that stopped it; null if not given.'),
        approval_id: z
          .string()
          .nullable()
          .describe('ID of the agent approval it waits for (`aap_…`); null if it waits for none.'),
      })
      .nullable()
      .describe('What stopped the action; null unless it is or was `blocked`.'),
    cost: z
      .object({
        input_tokens: z.int().nullable().describe('Input tokens used by the model; null if not reported.'),
        output_tokens: z.int().nullable().describe('Output tokens produced by the model; null if not reported.'),
        cost_micros: z
          .int()
          .nullable()
          .describe("Cost in millionths of the currency's main unit; null if not reported."),
        currency: currency.nullable().describe('ISO 4217 currency code of `cost_micros`; null if not reported.'),
      })
      .nullable()
      .describe('What the action consumed; null if not reported.'),
    started_at: timestamp.describe('When the action began (UTC).'),
    finished_at: timestamp.nullable().describe('When the action ended (UTC); null while it is in progress.'),
    duration_ms: z
      .int()
      .nullable()
      .describe('How long the action took, in milliseconds; null while it is in progress or when not known.'),
    ...timestamps,
  })
  .meta({ id: 'AgentAction', description: 'Something an agent did or attempted for a company.' });
export type AgentAction = z.output<typeof agentAction>;

export const agentApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled']);

export const agentApprovalDecision = z.enum(['approve', 'deny']);
export type AgentApprovalDecision = z.output<typeof agentApprovalDecision>;

export const agentApproval = z
  .object({
    ...identity('aap', 'agent_approval'),
    agent_id: id('agent'),
    company_id: id('co'),
    action_id: id('act')
      .nullable()
      .describe('ID of the action the approval is for (`act_…`); null if it was requested without one.'),
    title: z.string().describe('One line that says what is to be approved.'),
    description: z.string().nullable().describe('Longer explanation for the reviewer; null if not given.'),
    payload: z
      .unknown()
      .describe(
        'What is to be approved, as free JSON of at most 16 KiB. Values of keys that look like secrets are redacted before storage.',
      ),
    risk: risk.nullable().describe('Risk that the agent assigned to the request; null if not given.'),
    options: z
      .array(z.string())
      .describe('Choices offered to the reviewer, who may name one; empty for a plain approve or deny.'),
    option_decisions: z
      .array(agentApprovalDecision)
      .describe('The decision that each of `options` makes, in the same order: `approve` or `deny`.'),
    status: agentApprovalStatus.describe(
      'State of the request. Only `approved` permits the action: an expired request was not approved.',
    ),
    requested_by: approvalActor
      .nullable()
      .describe('Who requested the approval; null for requests from before this was recorded.'),
    requested_at: timestamp.describe('When the approval was requested (UTC).'),
    expires_at: timestamp.nullable().describe('When a pending request expires (UTC); null if it never does.'),
    decided_at: timestamp
      .nullable()
      .describe('When the request was approved, denied, cancelled or expired (UTC); null while pending.'),
    decided_by: approvalActor
      .nullable()
      .describe('Who decided; the service itself if the request expired. Null while pending.'),
    decision_comment: z.string().nullable().describe("The reviewer's comment; null if there is none."),
    chosen_option: z
      .string()
      .nullable()
      .describe('The one of `options` that was chosen, by an approval or a denial; null if none was named.'),
    edited_payload: z
      .unknown()
      .describe('The payload as the reviewer changed it, redacted likewise; null if it was approved unchanged.'),
    ...timestamps,
  })
  .meta({ id: 'AgentApproval', description: "A request of an agent for a person's approval." });
export type AgentApproval = z.output<typeof agentApproval>;

export const flagSeverity = z.enum(['info', 'warning', 'critical']);
export const flagStatus = z.enum(['open', 'resolved']);

export const agentFlag = z
  .object({
    ...identity('flag', 'agent_flag'),
    agent_id: id('agent'),
    company_id: id('co'),
    action_id: id('act')
      .nullable()
      .describe('ID of the action that was flagged (`act_…`); null if the flag concerns none.'),
    case_id: id('case').nullable().describe('ID of the case the flag concerns (`case_…`); null if it concerns none.'),
    severity: flagSeverity.describe('How serious the problem is.'),
    title: z.string().describe('One line that says what is wrong.'),
    body: z.string().nullable().describe('Details of the problem; null if not given.'),
    status: flagStatus.describe('`open` until a person resolves the flag.'),
    raised_by: actor.describe('Who raised the flag.'),
    resolved_at: timestamp.nullable().describe('When the flag was resolved (UTC); null while open.'),
    resolved_by: actor.nullable().describe('Who resolved the flag; null while open.'),
    resolution_note: z.string().nullable().describe('How the problem was resolved; null while open or if not given.'),
    ...timestamps,
  })
  .meta({ id: 'AgentFlag', description: "A problem with an agent's work that a person reported." });
export type AgentFlag = z.output<typeof agentFlag>;

export const runtimeState = z.enum(['idle', 'running', 'waiting_approval', 'error', 'stopped']);

export const runtimeMetricsInput = optional(
  z
    .object({
      actions_24h: optional(count).describe('Actions taken in the last 24 hours.'),
      failures_24h: optional(count).describe('Actions that failed in the last 24 hours.'),
      queue_depth: optional(count).describe("Tasks waiting in the runtime's queue."),
      cost_micros_24h: optional(count).describe("Cost of the last 24 hours in millionths of the currency's main unit."),
    })
    .meta({ id: 'RuntimeMetricsInput', description: 'Figures that a runtime reports about itself.' }),
);

export const runtimeSnapshot = z
  .object({
    ...identity('rts', 'runtime_snapshot'),
    agent_id: id('agent'),
    company_id: id('co')
      .nullable()
      .describe('ID of the company the runtime works for (`co_…`); null for the whole agent.'),
    runtime: z
      .string()
      .meta({ examples: ['example-runtime/2.1'] })
      .describe('Name and version of the runtime, for example `example-runtime/2.1`.'),
    state: runtimeState.describe('What the runtime is doing.'),
    version: z.int().describe('Number of this write; increases by one with each.'),
    checkpoint: z
      .unknown()
      .describe('What the runtime needs to resume, as free JSON of at most 64 KiB, returned as it was sent.'),
    metrics: z
      .object({
        actions_24h: z.int().nullable().describe('Actions taken in the last 24 hours; null if not reported.'),
        failures_24h: z.int().nullable().describe('Actions that failed in the last 24 hours; null if not reported.'),
        queue_depth: z.int().nullable().describe("Tasks waiting in the runtime's queue; null if not reported."),
        cost_micros_24h: z
          .int()
          .nullable()
          .describe("Cost of the last 24 hours in millionths of the currency's main unit; null if not reported."),
      })
      .nullable()
      .describe('Figures that the runtime reports about itself; null if not given.'),
    heartbeat_at: timestamp.describe('When the runtime last reported that it is alive (UTC).'),
    ...timestamps,
  })
  .meta({ id: 'RuntimeSnapshot', description: "The last checkpoint of an agent's runtime. An agent has at most one." });
export type RuntimeSnapshot = z.output<typeof runtimeSnapshot>;

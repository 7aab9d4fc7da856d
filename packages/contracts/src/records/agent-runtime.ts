import { z } from 'zod';
import { currency, currencyInput, id, optional, secret, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

/** Bytes of JSON that an action's input or output, or an approval's payload, may have. */
export const MAX_PAYLOAD_BYTES = 16 * 1024;
/** Bytes of JSON that a checkpoint may have; one above `MAX_PAYLOAD_BYTES` is left out of its event. */
export const MAX_CHECKPOINT_BYTES = 64 * 1024;

/** UTF-8 bytes of a value's JSON text. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').length;
}

// NUL and lone surrogates cannot be stored as they are, also deep inside of free JSON and in its keys.
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorable(member));
}

/** Any JSON of at most `max` bytes; `null` and absent mean the same. It is redacted when it is stored, not before. */
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

const risk = z.enum(['low', 'medium', 'high']);
export const riskInput = optional(risk);

const count = z.int().min(0);

export const actionStatus = z.enum(['logged', 'completed', 'failed', 'blocked']);
export type ActionStatus = z.output<typeof actionStatus>;

/** How an action ended or what stopped it; `error` belongs to `failed`, `blocked` to `blocked`. */
export const outcomeFields = {
  output: payloadInput,
  error: optional(z.object({ code: text(1, 100), message: text(1, 2000) })),
  blocked: optional(
    z.object({ reason: text(1, 2000), policy: optional(text(1, 200)), approval_id: optional(text(1, 255)) }),
  ),
  cost: optional(
    z.object({
      input_tokens: optional(count),
      output_tokens: optional(count),
      cost_micros: optional(count),
      currency: optional(currencyInput),
    }),
  ),
  duration_ms: optional(count),
};

export const agentAction = z
  .object({
    id: id('act'),
    object: z.literal('agent_action'),
    account_id: id('acct'),
    agent_id: id('agent'),
    company_id: id('co'),
    case_id: id('case').nullable(),
    run_id: z.string().nullable(),
    external_id: z.string().nullable(),
    type: z.string().meta({ examples: ['email.send'] }),
    title: z.string(),
    status: actionStatus,
    risk: risk.nullable(),
    input: z.unknown().meta({ description: 'Values of keys that look like secrets are replaced by "[redacted]"' }),
    output: z.unknown().meta({ description: 'Redacted like input' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    blocked: z
      .object({ reason: z.string(), policy: z.string().nullable(), approval_id: z.string().nullable() })
      .nullable(),
    cost: z
      .object({
        input_tokens: z.int().nullable(),
        output_tokens: z.int().nullable(),
        cost_micros: z.int().nullable().meta({ description: 'Millionths of the currency’s unit' }),
        currency: currency.nullable(),
      })
      .nullable(),
    started_at: timestamp,
    finished_at: timestamp.nullable(),
    duration_ms: z.int().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AgentAction' });
export type AgentAction = z.output<typeof agentAction>;

export const agentApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled']);

export const agentApproval = z
  .object({
    id: id('aap'),
    object: z.literal('agent_approval'),
    account_id: id('acct'),
    agent_id: id('agent'),
    company_id: id('co'),
    action_id: id('act').nullable(),
    title: z.string(),
    description: z.string().nullable(),
    payload: z.unknown().meta({ description: 'What is to be approved, redacted like an action’s input' }),
    risk: risk.nullable(),
    options: z.array(z.string()),
    status: agentApprovalStatus.meta({ description: 'Only `approved` allows anything: what expires is not approved' }),
    requested_at: timestamp,
    expires_at: timestamp.nullable(),
    decided_at: timestamp.nullable(),
    decided_by: actor.nullable(),
    decision_comment: z.string().nullable(),
    edited_payload: z.unknown().meta({ description: 'The payload as the reviewer changed it, redacted likewise' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AgentApproval' });
export type AgentApproval = z.output<typeof agentApproval>;

export const flagSeverity = z.enum(['info', 'warning', 'critical']);
export const flagStatus = z.enum(['open', 'resolved']);

export const agentFlag = z
  .object({
    id: id('flag'),
    object: z.literal('agent_flag'),
    account_id: id('acct'),
    agent_id: id('agent'),
    company_id: id('co'),
    action_id: id('act').nullable(),
    case_id: id('case').nullable(),
    severity: flagSeverity,
    title: z.string(),
    body: z.string().nullable(),
    status: flagStatus,
    raised_by: actor,
    resolved_at: timestamp.nullable(),
    resolved_by: actor.nullable(),
    resolution_note: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AgentFlag' });
export type AgentFlag = z.output<typeof agentFlag>;

export const runtimeState = z.enum(['idle', 'running', 'waiting_approval', 'error', 'stopped']);

export const runtimeMetricsInput = optional(
  z.object({
    actions_24h: optional(count),
    failures_24h: optional(count),
    queue_depth: optional(count),
    cost_micros_24h: optional(count),
  }),
);

export const runtimeSnapshot = z
  .object({
    id: id('rts'),
    object: z.literal('runtime_snapshot'),
    account_id: id('acct'),
    agent_id: id('agent'),
    company_id: id('co').nullable(),
    runtime: z.string().meta({ examples: ['example-runtime/2.1'] }),
    state: runtimeState,
    version: z.int().meta({ description: 'Rises by one with every write' }),
    checkpoint: z.unknown().meta({ description: 'What the runtime needs to go on, as it sent it' }),
    metrics: z
      .object({
        actions_24h: z.int().nullable(),
        failures_24h: z.int().nullable(),
        queue_depth: z.int().nullable(),
        cost_micros_24h: z.int().nullable(),
      })
      .nullable(),
    heartbeat_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'RuntimeSnapshot' });
export type RuntimeSnapshot = z.output<typeof runtimeSnapshot>;

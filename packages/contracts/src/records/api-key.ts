import { z } from 'zod';
import {
  connectionId,
  id,
  identity,
  idParameter,
  optional,
  source,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';

export const scope = z
  .enum(['human', 'agent', 'read', 'ingest'])
  .describe(
    'What the key may do: `human` everything, `agent` the work of its agent, `read` only reads, `ingest` only posts balances, transactions and statement snapshots.',
  );
export type Scope = z.output<typeof scope>;

/** Reads need no permission. A key without a list has all. */
export const permission = z.enum([
  'agents:write',
  'approvals:write',
  'cases:write',
  'cash:write',
  'companies:write',
  'connections:write',
  'directives:write',
  'events:write',
  'filings:write',
  'financials:write',
  'keys:write',
  'runtime:write',
  'transactions:write',
  'webhooks:write',
  'wires:write',
]);
export type Permission = z.output<typeof permission>;

export const actor = z
  .object({
    type: z
      .enum(['user', 'api_key', 'agent', 'staff', 'system'])
      .describe('Kind of actor: a person, an API key, an agent, staff of the operator, or the service itself.'),
    id: z.string().describe("ID of the actor, for example the API key's."),
    name: z.string().optional().describe('Display name of the actor at the time.'),
  })
  .meta({
    id: 'Actor',
    description: 'Who did something: a person, an API key, an agent, staff, or the service itself.',
  });
export type Actor = z.output<typeof actor>;

/** Keys of one person have the same `person_id`. */
export const approvalActor = actor
  .extend({
    person_id: z
      .string()
      .nullable()
      .describe(
        "The person of the API key that was used, also that of an agent's key: the ID of their first key (`key_…`). Null for the service itself and for approvals from before this was recorded.",
      ),
  })
  .meta({
    id: 'ApprovalActor',
    description: 'Who requested or decided an approval, and the person whose key was used.',
  });
export type ApprovalActor = z.output<typeof approvalActor>;

export const apiKey = z
  .object({
    ...identity('key', 'api_key'),
    name: z.string().describe('Label of the key.'),
    scope,
    prefix: z
      .string()
      .meta({ examples: ['sk_live_AbCd'] })
      .describe('The first characters of the key, which identify it safely.'),
    last4: z.string().describe('The last four characters of the key.'),
    status: z
      .enum(['active', 'expired', 'revoked'])
      .describe('`active`, `expired` once `expires_at` has passed, or `revoked`.'),
    company_ids: z
      .array(id('co'))
      .nullable()
      .describe('IDs of the only companies the key can access; null for every company of the account.'),
    connection_ids: z
      .array(z.string())
      .nullable()
      .describe(
        'The only connections whose balances and transactions a key of scope `ingest` may post; null for any, and for other scopes. No other active key may list one of them for the same company, except rotations of the key, and ingest keys that list none cannot post to it.',
      ),
    sources: z
      .array(z.string())
      .nullable()
      .describe(
        'The only values of `source` that a key of scope `ingest` may post; null for any, and for other scopes.',
      ),
    permissions: z
      .array(permission)
      .nullable()
      .describe('The only changes the key may make; null for everything its scope allows.'),
    ip_allowlist: z
      .array(z.string())
      .nullable()
      .describe('IP addresses and CIDR ranges the key can be used from; null for any.'),
    agent_id: id('agent')
      .nullable()
      .describe('ID of the agent that a key of scope `agent` acts as (`agent_…`); null for other scopes.'),
    unused: z.boolean().describe('True if the key is active but was not used for 45 days.'),
    expires_at: timestamp.nullable().describe('When the key stops working (UTC); null if it never expires.'),
    last_used_at: timestamp.nullable().describe('When the key was last used (UTC); null if it never was.'),
    last_used_ip: z.string().nullable().describe('IP address of the last use; null if the key was never used.'),
    created_by: actor.describe('Who created the key.'),
    person_id: id('key').describe(
      'Keys with the same `person_id` count as one person. A key takes it from the key that created it; a key created by an operator is its own person.',
    ),
    revoked_at: timestamp.nullable().describe('When the key was revoked (UTC); null if it was not.'),
    revoked_by: actor.nullable().describe('Who revoked the key; null if it was not revoked.'),
    rotated_to: id('key')
      .nullable()
      .describe('ID of the key that replaces this one (`key_…`); null if it was not rotated.'),
    ...timestamps,
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' });
export type ApiKey = z.output<typeof apiKey>;

export const apiKeyName = text(1, 200).describe('Label of the key.');

export const keyNarrowing = withDescriptionsOf(apiKey, {
  company_ids: optional(z.array(idParameter).min(1).max(100)),
  connection_ids: optional(z.array(connectionId).min(1).max(100)),
  sources: optional(z.array(source).min(1).max(100)),
  permissions: optional(z.array(permission).min(1).max(100)),
  ip_allowlist: optional(z.array(text(1, 64)).min(1).max(100)),
  agent_id: optional(idParameter),
});

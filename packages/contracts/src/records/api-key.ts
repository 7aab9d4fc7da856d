import { z } from 'zod';
import { id, idParameter, optional, text, timestamp } from '../scalars.ts';

/** What a key may do: `human` everything, `agent` its own agent's work, `read` only reads. */
export const scope = z.enum(['human', 'agent', 'read']);
export type Scope = z.output<typeof scope>;

/** What a key narrowed by `permissions` may still change. Reading needs none; a key without a list may do all. */
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

/** Who did something: a key, a person, an agent, staff, or the service itself. */
export const actor = z.object({
  type: z.enum(['user', 'api_key', 'agent', 'staff', 'system']),
  id: z.string(),
  name: z.string().optional(),
});
export type Actor = z.output<typeof actor>;

/** An API key as everyone may see it: never the key or its hash. */
export const apiKey = z
  .object({
    id: id('key'),
    object: z.literal('api_key'),
    account_id: id('acct'),
    name: z.string(),
    scope,
    prefix: z.string().meta({ examples: ['sk_live_AbCd'] }),
    last4: z.string(),
    status: z.enum(['active', 'expired', 'revoked']),
    company_ids: z
      .array(id('co'))
      .nullable()
      .meta({ description: 'The only companies it reaches; null means every company of the account' }),
    permissions: z
      .array(permission)
      .nullable()
      .meta({ description: 'The only things it may change; null means all that its scope allows' }),
    ip_allowlist: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The only addresses and CIDR ranges it works from; null means any' }),
    agent_id: id('agent').nullable().meta({ description: 'The agent that a key of scope `agent` acts as' }),
    unused: z.boolean().meta({ description: 'Active, but not used for 45 days' }),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    created_by: actor,
    revoked_at: timestamp.nullable(),
    revoked_by: actor.nullable(),
    rotated_to: id('key').nullable().meta({ description: 'The key that takes its place' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

export const apiKeyName = text(1, 200);

/** How a key is narrowed when it is minted (decision D54). An address is checked in the verb. */
export const keyNarrowing = {
  company_ids: optional(z.array(idParameter).min(1).max(100)),
  permissions: optional(z.array(permission).min(1).max(100)),
  ip_allowlist: optional(z.array(text(1, 64)).min(1).max(100)),
  agent_id: optional(idParameter),
};

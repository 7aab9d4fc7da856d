import { z } from 'zod';
import { id, text, timestamp } from '../scalars.ts';

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
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    created_by: actor,
    revoked_at: timestamp.nullable(),
    revoked_by: actor.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

export const apiKeyName = text(1, 200);

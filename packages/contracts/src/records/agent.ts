import { z } from 'zod';
import { id, metadata, optional, text, timestamp } from '../scalars.ts';

const phone = z.string().regex(/^\+[1-9]\d{1,14}$/, 'must be an E.164 number like +14155550123');
const email = z.email('must be an email address').max(254);

/** The fields of an agent that its owner sets; changes of all but `metadata` are told by `agent.updated`. */
export const agentFields = {
  name: text(1, 200),
  provider: text(1, 100),
  model: optional(text(1, 200)),
  phone: optional(phone),
  email: optional(email),
  metadata: optional(metadata),
};

export const agentStatus = z.enum(['active', 'paused']);

/** What attaches an agent to a company, or to one case of it. */
export const agentBinding = z
  .object({
    id: id('bind'),
    object: z.literal('agent_binding'),
    account_id: id('acct'),
    agent_id: id('agent'),
    company_id: id('co'),
    case_id: id('case').nullable().meta({ description: 'When set, the binding holds for this case only' }),
    role: z.string().nullable(),
    status: z.enum(['linked', 'paused', 'unlinked']),
    linked_at: timestamp,
    unlinked_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AgentBinding' });
export type AgentBinding = z.output<typeof agentBinding>;

export const agent = z
  .object({
    id: id('agent'),
    object: z.literal('agent'),
    account_id: id('acct'),
    name: z.string(),
    provider: z.string(),
    model: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    status: agentStatus,
    paused_reason: z.string().nullable(),
    bindings: z
      .array(agentBinding)
      .meta({ description: 'Oldest first; those that the reader reaches, and in a company’s event those to it' }),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Agent' });
export type Agent = z.output<typeof agent>;

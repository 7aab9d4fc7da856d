import { z } from 'zod';
import {
  id,
  identity,
  metadata,
  optional,
  storedMetadata,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';

const phone = z.string().regex(/^\+[1-9]\d{1,14}$/, 'must be an E.164 number like +14155550123');
const email = z.email('must be an email address').max(254);

export const agentStatus = z.enum(['active', 'paused']);

export const agentBinding = z
  .object({
    ...identity('bind', 'agent_binding'),
    agent_id: id('agent'),
    company_id: id('co'),
    case_id: id('case')
      .nullable()
      .describe('ID of the case the binding is limited to (`case_…`); null if it covers the whole company.'),
    role: z.string().nullable().describe('What the agent does for the company, as free text; null if not given.'),
    status: z
      .enum(['linked', 'paused', 'unlinked'])
      .describe('`linked` while the agent may act, `paused` while it may not, `unlinked` once detached.'),
    linked_at: timestamp.describe('When the agent was last attached (UTC).'),
    unlinked_at: timestamp.nullable().describe('When the agent was detached (UTC); null while attached.'),
    ...timestamps,
  })
  .meta({ id: 'AgentBinding', description: 'The attachment of an agent to a company, or to one case of it.' });
export type AgentBinding = z.output<typeof agentBinding>;

export const agent = z
  .object({
    ...identity('agent', 'agent'),
    name: z.string().describe('Display name of the agent.'),
    provider: z.string().describe('Vendor or framework that runs the agent.'),
    model: z.string().nullable().describe('Model that the agent uses; null if not given.'),
    phone: z
      .string()
      .nullable()
      .describe('Phone number of the agent in E.164 format, for example `+14155550123`; null if not given.'),
    email: z.string().nullable().describe('Email address of the agent; null if not given.'),
    status: agentStatus.describe('`paused` if the whole agent is paused. A single binding can be paused as well.'),
    paused_reason: z.string().nullable().describe('Why the agent was paused; null while active or if not given.'),
    bindings: z
      .array(agentBinding)
      .describe(
        'Companies and cases the agent is attached to, oldest first, limited to those the caller has access to. In the event of a company, only the bindings to that company.',
      ),
    metadata: storedMetadata,
    ...timestamps,
  })
  .meta({ id: 'Agent', description: 'A software agent that acts for companies of the account.' });
export type Agent = z.output<typeof agent>;

/** Changes of all fields but `metadata` emit `agent.updated`. */
export const agentFields = withDescriptionsOf(agent, {
  name: text(1, 200),
  provider: text(1, 100),
  model: optional(text(1, 200)),
  phone: optional(phone),
  email: optional(email),
  metadata: optional(metadata),
});

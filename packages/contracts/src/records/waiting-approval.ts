import { z } from 'zod';
import { currency, id, objectType, timestamp } from '../scalars.ts';
import { risk } from './agent-runtime.ts';
import { approvalActor } from './api-key.ts';

export const waitingApproval = z
  .object({
    object: objectType('waiting_approval'),
    kind: z
      .enum(['wire', 'agent_request'])
      .describe('`wire`: decide it with `bank.approvals.decide`. `agent_request`: with `agentApprovals.decide`.'),
    id: z.string().describe('ID of the wire (`apr_…`) or of the request (`aap_…`).'),
    account_id: id('acct'),
    company_id: id('co'),
    agent_id: id('agent').nullable().describe('ID of the agent that asks (`agent_…`); null for a wire.'),
    title: z.string().describe('Name of the beneficiary of a wire, or the title of a request.'),
    description: z
      .string()
      .nullable()
      .describe('Memo of a wire, or the description of a request; null if there is none.'),
    amount_cents: z
      .int()
      .nullable()
      .describe('Amount of a wire in minor units of `currency`; null for a request of an agent.'),
    currency: currency.nullable().describe('ISO 4217 currency code of the amount; null for a request of an agent.'),
    risk: risk.nullable().describe('Risk that the agent assigned to its request; null for a wire or if not given.'),
    requested_by: approvalActor
      .nullable()
      .describe('Who asked; null for requests of agents from before this was recorded.'),
    requested_at: timestamp.describe('When it was asked (UTC).'),
    expires_at: timestamp.nullable().describe('When it expires without a decision (UTC); null if it never does.'),
  })
  .meta({ id: 'WaitingApproval', description: 'A wire or a request of an agent that waits for a decision.' });
export type WaitingApproval = z.output<typeof waitingApproval>;

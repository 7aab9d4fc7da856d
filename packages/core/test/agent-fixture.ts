import { createAgent } from '../src/modules/agents/create.ts';
import type { Context } from '../src/verbs/context.ts';
import type { CoreFixture } from './core-fixture.ts';
import { type Envelope, readFeed } from './read-all.ts';
import { type AuditRow, readAudits } from './read-audits.ts';

interface Trace {
  events: Envelope[];
  audits: Pick<AuditRow, 'action' | 'company_id' | 'actor' | 'before' | 'after'>[];
}

export const agentFields = { name: 'Bookkeeper', provider: 'example' };

/** Returns the id of a new agent, attached to a company if one is named. */
export async function newAgent(context: Context, company_id?: string): Promise<string> {
  return (await createAgent(context, { ...agentFields, ...(company_id === undefined ? {} : { company_id }) })).id;
}

/** The context of the agent's own key. */
export function asAgent(context: Context, agentId: string, ...companyIds: string[]): Context {
  const actor = { type: 'api_key', id: 'key_agent', name: 'Agent' } as const;
  return { ...context, scope: 'agent', actor, access: { agentId, companyIds } };
}

/** The events and audit rows about a record, in their order. */
export async function traceOf(context: Context, recordId: string): Promise<Trace> {
  const events = (await readFeed(context)).filter(({ data }) => data['id'] === recordId);
  const columns = ['action', 'company_id', 'actor', 'before', 'after'] as const;
  return { events, audits: await readAudits(context, { resource_id: recordId }, ...columns) };
}

/** An account with a company and an agent that is attached to it. */
export interface AgentFixture {
  context: Context;
  company_id: string;
  agent_id: string;
  /** The agent and its company, as part of inputs. */
  place: { agent_id: string; company_id: string };
  /** The context of the agent's own key, by default with access to the agent's company. */
  asAgent(agentId?: string, ...companyIds: string[]): Context;
  /** The events and audit rows about a record, in their order. */
  traceOf(recordId: string): Promise<Trace>;
}

/** Opens an account on the fixture's database. */
export async function openAgent(fixture: CoreFixture): Promise<AgentFixture> {
  const { context, companyId: company_id } = await fixture.otherAccount();
  const agent_id = await newAgent(context, company_id);
  return {
    context,
    company_id,
    agent_id,
    place: { agent_id, company_id },
    asAgent: (agentId = agent_id, ...companyIds) =>
      asAgent(context, agentId, ...(companyIds.length > 0 ? companyIds : [company_id])),
    traceOf: (recordId) => traceOf(context, recordId),
  };
}

import type { Context } from '../src/kernel/context.ts';
import { createAgent } from '../src/modules/agents/create.ts';
import type { CoreFixture } from './core-fixture.ts';
import { type Envelope, readFeed } from './read-all.ts';

interface AuditRow {
  action: string;
  company_id: string | null;
  actor: { type: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** An account with a company and an agent that is attached to it. */
export interface AgentFixture {
  context: Context;
  company_id: string;
  agent_id: string;
  /** Where the agent works, as inputs say it. */
  place: { agent_id: string; company_id: string };
  /** The context of the agent's own key; without companies named, it reaches the agent's one. */
  asAgent(agentId?: string, ...companyIds: string[]): Context;
  /** The events and audit rows about a record, in their order. */
  traceOf(recordId: string): Promise<{ events: Envelope[]; audits: AuditRow[] }>;
}

/** Opens a fresh account on the fixture's database. */
export async function openAgent(fixture: CoreFixture): Promise<AgentFixture> {
  const { context, companyId: company_id } = await fixture.otherAccount();
  const agent_id = (await createAgent(context, { name: 'Bookkeeper', provider: 'example', company_id })).id;
  return {
    context,
    company_id,
    agent_id,
    place: { agent_id, company_id },
    asAgent: (agentId = agent_id, ...companyIds) => ({
      ...context,
      scope: 'agent',
      actor: { type: 'api_key', id: 'key_agent', name: 'Agent' },
      access: { agentId, companyIds: companyIds.length > 0 ? companyIds : [company_id] },
    }),
    async traceOf(recordId) {
      const events = (await readFeed(context)).filter(({ data }) => data['id'] === recordId);
      const audits = await context.database.query<AuditRow>(
        'SELECT action, company_id, actor, before, after FROM audit_log WHERE resource_id = $1 ORDER BY id',
        [recordId],
      );
      return { events, audits };
    },
  };
}

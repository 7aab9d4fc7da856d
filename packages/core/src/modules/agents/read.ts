import type { operations } from '@finhook/contracts';
import { hasCompanyAccess } from '../../access/access.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { AgentBinding, type AgentRow, findAgent, toAgent } from './agent.ts';

export const getAgent: Verb<typeof operations.agents.get> = async (context, input) => {
  const { agent, bindings } = await findAgent(context, input.agent_id);
  return toAgent(agent, bindings);
};

const ATTACHED = 'EXISTS (SELECT FROM agent_binding b WHERE b.agent_id = agent.id AND b.company_id';

export const listAgents = listVerb<typeof operations.agents.list, AgentRow>({
  table: 'agent',
  prefix: 'agent',
  filters(filters, context, input) {
    const { scope, access } = context;
    filters.where(context.accountId, 'account_id = ?');
    if (scope === 'agent') filters.where(access.agentId ?? '', 'id = ?');
    else filters.where(access.companyIds, `${ATTACHED} = ANY (?::text[]))`);
    filters.whereEqual(input, ['status', 'provider']);
    filters.where(input.company_id, `${ATTACHED} = ? AND b.status <> 'unlinked')`);
    if (input.company_id !== undefined && !hasCompanyAccess(context, input.company_id)) filters.add('false');
    filters.whereContains(input.q, ['name', 'email']);
  },
  async mapPage(rows, _, context) {
    const where = { agent_id: { $in: rows.map(({ id }) => id) } };
    const all = await context.database.em().find(AgentBinding, where, { orderBy: { id: 'asc' } });
    const accessible = all.filter((binding) => hasCompanyAccess(context, binding.company_id));
    const byAgent = Map.groupBy(accessible, ({ agent_id }) => agent_id);
    return rows.map((row) => toAgent(row, byAgent.get(row.id) ?? []));
  },
});

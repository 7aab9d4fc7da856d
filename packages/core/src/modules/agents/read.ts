import type { operations } from '@finhook/contracts';
import { hasCompanyAccess } from '../../access/access.ts';
import { byId, Filters, readPage } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { AgentBinding, type AgentRow, findAgent, toAgent } from './agent.ts';

type ListOp = typeof operations.agents.list;

export const getAgent: Verb<typeof operations.agents.get> = async (context, input) => {
  const { agent, bindings } = await findAgent(context, input.agent_id);
  return toAgent(agent, bindings);
};

const ATTACHED = 'EXISTS (SELECT FROM agent_binding b WHERE b.agent_id = agent.id AND b.company_id';

function agentFilters(context: Context, input: InputOf<ListOp>): Filters {
  const { scope, access } = context;
  const filters = new Filters();
  filters.where(context.accountId, 'account_id = ?');
  if (scope === 'agent') filters.where(access.agentId ?? '', 'id = ?');
  else filters.where(access.companyIds, `${ATTACHED} = ANY (?::text[]))`);
  filters.whereEqual(input, ['status', 'provider']);
  filters.where(input.company_id, `${ATTACHED} = ? AND b.status <> 'unlinked')`);
  if (input.company_id !== undefined && !hasCompanyAccess(context, input.company_id)) filters.add('false');
  filters.whereContains(input.q, ['name', 'email']);
  filters.whereTimes(input);
  return filters;
}

export const listAgents: Verb<ListOp> = async (context, input) => {
  const page = await readPage<AgentRow, AgentRow>({
    query: context.database.query,
    select: '*',
    from: 'agent',
    filters: agentFilters(context, input),
    sort: [byId('agent')],
    page: input,
    toItem: (row) => row,
  });
  const ids = page.data.map(({ id }) => id);
  const where = { agent_id: { $in: ids } };
  const all = await context.database.em().find(AgentBinding, where, { orderBy: { id: 'asc' } });
  const byAgent = Map.groupBy(
    all.filter((binding) => hasCompanyAccess(context, binding.company_id)),
    ({ agent_id }) => agent_id,
  );
  return { ...page, data: page.data.map((row) => toAgent(row, byAgent.get(row.id) ?? [])) };
};

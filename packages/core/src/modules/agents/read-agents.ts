import type { operations } from '@finhook/contracts';
import { reachesCompany } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Agent } from './agent.entity.ts';
import { AgentBinding } from './agent-binding.entity.ts';
import { findAgent } from './find-agent.ts';

type GetOp = typeof operations.agents.get;
type ListOp = typeof operations.agents.list;

/** Reads an agent with its bindings. */
export async function getAgent(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const { agent, bindings } = await findAgent(context, input.agent_id);
  return agent.toRecord(bindings);
}

const ATTACHED = 'EXISTS (SELECT FROM agent_binding b WHERE b.agent_id = agent.id AND b.company_id';

function agentFilters(context: Context, input: InputOf<ListOp>): Filters {
  const { scope, access } = context;
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  if (scope === 'agent') filters.when(access.agentId ?? '', 'id = ?');
  else filters.when(access.companyIds, `${ATTACHED} = ANY (?::text[]))`);
  filters.when(input.status, 'status = ?');
  filters.when(input.provider, 'provider = ?');
  filters.when(input.company_id, `${ATTACHED} = ? AND b.status <> 'unlinked')`);
  // Of companies that it does not reach, a key is told nothing.
  if (input.company_id !== undefined && !reachesCompany(context, input.company_id)) filters.add('false');
  filters.when(input.q === undefined ? undefined : likePattern(input.q), '(name ILIKE ? OR email ILIKE ?)');
  filters.whenTimes(input);
  return filters;
}

/** Lists the account's agents, newest first; a key of scope `agent` sees its own only. */
export async function listAgents(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const em = context.database.em();
  const page = await readPage<{ id: string }, Agent>({
    query: context.database.query,
    select: '*',
    from: 'agent',
    filters: agentFilters(context, input),
    sort: [byId('agent')],
    page: input,
    toItem: (row) => em.map(Agent, row),
  });
  const ids = page.data.map(({ id }) => id);
  const all = await em.find(AgentBinding, { agentId: { $in: ids } }, { orderBy: { id: 'asc' } });
  const byAgent = Map.groupBy(
    all.filter((binding) => reachesCompany(context, binding.companyId)),
    ({ agentId }) => agentId,
  );
  return { ...page, data: page.data.map((agent) => agent.toRecord(byAgent.get(agent.id) ?? [])) };
}

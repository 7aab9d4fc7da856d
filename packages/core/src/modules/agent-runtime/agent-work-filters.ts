import { filterByReach } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { Filters } from '../../kernel/keyset.ts';
import { findAgent } from '../agents/find-agent.ts';

/** What every list of an agent's work takes. */
interface AgentWorkInput {
  agent_id: string;
  company_id?: string | undefined;
  created_from?: string | undefined;
  created_to?: string | undefined;
  updated_since?: string | undefined;
}

/** The conditions of a list of an agent's work, as far as the caller reaches. Throws `not_found` for the agent. */
export async function agentWorkFilters(context: Context, input: AgentWorkInput): Promise<Filters> {
  const { agent } = await findAgent(context, input.agent_id);
  const filters = new Filters();
  filters.where(agent.id, 'agent_id = ?');
  filters.where(context.accountId, 'account_id = ?');
  filterByReach(filters, context, 'company_id');
  filters.where(input.company_id, 'company_id = ?');
  filters.whereTimes(input);
  return filters;
}

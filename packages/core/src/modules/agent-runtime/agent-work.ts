import { assertAccessible, filterByCompanyAccess } from '../../access/access.ts';
import type { Filters } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import { canSeeAgent, findAgent } from '../agents/agent.ts';

export interface Owners {
  agent_id: string;
  company_id: string;
}

/** A key of scope `agent` sees only its own agent's records. */
export function visibleWork<T extends Owners>(context: Context, found: T | null, what: string): T {
  return assertAccessible(context, found && canSeeAgent(context, found.agent_id) ? found : null, what);
}

/** Restricts a list to records that the caller may see. Throws `not_found` for the agent. */
export async function filterAgentWork(
  filters: Filters,
  context: Context,
  input: { agent_id: string; company_id?: string | undefined },
): Promise<void> {
  const { agent } = await findAgent(context, input.agent_id);
  filters.where(agent.id, 'agent_id = ?');
  filters.where(context.accountId, 'account_id = ?');
  filterByCompanyAccess(filters, context, 'company_id');
  filters.whereEqual(input, ['company_id']);
}

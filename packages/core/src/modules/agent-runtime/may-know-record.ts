import { reachesCompany } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { mayKnowAgent } from '../agents/find-agent.ts';

/** Whether the caller reaches a record of an agent's work; an agent's own key reaches only its own (S7). */
export function mayKnowRecord(context: Context, record: { agentId: string; companyId: string }): boolean {
  return mayKnowAgent(context, record.agentId) && reachesCompany(context, record.companyId);
}

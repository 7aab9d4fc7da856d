import type { EntityManager } from '@mikro-orm/postgresql';
import { assertAccessible, filterByCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { rejectFields } from '../../kernel/domain-error.ts';
import type { Filters } from '../../kernel/keyset.ts';
import { findAgent, mayKnowAgent } from '../agents/find-agent.ts';
import { AgentAction } from './actions/agent-action.entity.ts';
import { AgentApproval } from './approvals/agent-approval.entity.ts';

interface Owners {
  agent_id: string;
  company_id: string;
}

/** The record, if the caller may see it; an agent's own key sees only its own (S7). */
export function visibleWork<T extends Owners>(context: Context, found: T | null, what: string): T {
  return assertAccessible(context, found && mayKnowAgent(context, found.agent_id) ? found : null, what);
}

/** Restricts a list to work that the caller may see. Throws `not_found` for the agent. */
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

/** Rejects a `blocked.approval_id` that is no approval of this agent for this company. */
export async function assertApprovalOf(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentApproval, { id, agent_id, company_id })) > 0) return;
  const message = 'names no approval that this agent asked for at this company';
  rejectFields([{ pointer: '/blocked/approval_id', code: 'record_not_found', message }]);
}

export async function assertActionOf(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentAction, { id, agent_id, company_id })) > 0) return;
  const message = 'names no action of this agent at this company';
  rejectFields([{ pointer: '/action_id', code: 'record_not_found', message }]);
}

/** The case of an action of this agent for this company, which never changes; null also for an unknown action. */
export async function caseOfAction(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<string | null> {
  if (id == null) return null;
  const action = await em.findOne(AgentAction, { id, agent_id, company_id }, { fields: ['case_id'] });
  return action?.case_id ?? null;
}

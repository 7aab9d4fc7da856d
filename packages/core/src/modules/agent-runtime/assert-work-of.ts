import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidFields } from '../../kernel/domain-error.ts';
import { AgentAction } from './agent-action.entity.ts';
import { AgentApproval } from './agent-approval.entity.ts';

/** The agent and the company that a record must belong to. */
interface Place {
  agentId: string;
  companyId: string;
}

/** Refuses a `blocked.approval_id` that names no approval of this agent for this company. */
export async function assertApprovalOf(
  em: EntityManager,
  { agentId, companyId }: Place,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentApproval, { id, agentId, companyId })) > 0) return;
  const message = 'names no approval that this agent asked for at this company';
  invalidFields([{ pointer: '/blocked/approval_id', code: 'record_not_found', message }]);
}

/** Refuses an `action_id` that names no action of this agent for this company. */
export async function assertActionOf(
  em: EntityManager,
  { agentId, companyId }: Place,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentAction, { id, agentId, companyId })) > 0) return;
  const message = 'names no action of this agent at this company';
  invalidFields([{ pointer: '/action_id', code: 'record_not_found', message }]);
}

/** The case of an action of this agent for this company, which never changes; null also where there is no such action. */
export async function caseOfAction(
  em: EntityManager,
  { agentId, companyId }: Place,
  id: string | null | undefined,
): Promise<string | null> {
  if (id == null) return null;
  const action = await em.findOne(AgentAction, { id, agentId, companyId }, { fields: ['caseId'] });
  return action?.caseId ?? null;
}

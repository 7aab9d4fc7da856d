import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { hasCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { DomainError, notFound } from '../../kernel/domain-error.ts';
import { Agent } from './agent.entity.ts';
import { AgentBinding } from './agent-binding.entity.ts';

export interface FoundAgent {
  agent: Agent;
  bindings: AgentBinding[];
  isFullyAccessible: boolean;
}

/** A key with scope `agent` sees only its own agent (S7). */
export function mayKnowAgent({ scope, access }: Pick<Context, 'scope' | 'access'>, agentId: string): boolean {
  return scope !== 'agent' || access.agentId === agentId;
}

async function readAgent(em: EntityManager, context: Context, agentId: string, lock: boolean): Promise<FoundAgent> {
  if (!mayKnowAgent(context, agentId)) throw notFound('agent');
  const where = { id: agentId, account_id: context.accountId };
  const agent = await em.findOne(Agent, where, lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!agent) throw notFound('agent');
  const ofAgent = { agent_id: agentId, account_id: context.accountId };
  const all = await em.find(AgentBinding, ofAgent, { orderBy: { id: 'asc' } });
  const bindings = all.filter((binding) => hasCompanyAccess(context, binding.company_id));
  const isRestricted = context.scope !== 'agent' && context.access.companyIds !== undefined;
  if (isRestricted && bindings.length === 0) throw notFound('agent');
  const isFullyAccessible = all.every(
    ({ status, company_id }) => status === 'unlinked' || hasCompanyAccess(context, company_id),
  );
  return { agent, bindings, isFullyAccessible };
}

/**
 * The agent, if the caller may access it: a restricted key sees the agents that are or were attached to one of its
 * companies, a key with scope `agent` sees its own.
 */
export function findAgent(context: Context, agentId: string): Promise<FoundAgent> {
  return readAgent(context.database.em(), context, agentId, false);
}

/** The same for a change of the agent or its bindings; the row is locked until the transaction ends. */
export function lockAgent(em: EntityManager, context: Context, agentId: string): Promise<FoundAgent> {
  return readAgent(em, context, agentId, true);
}

/** Rejects changes to a whole agent by a key without access to all its companies. */
export function assertFullAgentAccess({ isFullyAccessible }: Pick<FoundAgent, 'isFullyAccessible'>): void {
  if (isFullyAccessible) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'The agent is attached to companies that this key has no access to. Send a company_id, or use a key with access to the whole account.',
  });
}

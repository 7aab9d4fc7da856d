import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import type { AgentBinding } from './agent-binding.entity.ts';
import { bindingStates } from './agent-states.ts';
import { bindingAt, describeMove } from './binding-at.ts';
import { type FoundAgent, takeAgent } from './find-agent.ts';

type Op = typeof operations.agents.detach;

/**
 * Detaches an agent from a company with all its cases, or from one case of it, and emits `agent.unlinked` for each binding
 * that ends; a repeat changes nothing. One case left would leave the whole company in the agent's reach. It works for a
 * dissolved company too, whose records the agent could otherwise read for ever.
 */
export async function detachAgent(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_id }, async (tx) => {
    const found = await takeAgent(tx.em, context, input.agent_id);
    const meant = bindingsMeant(found, input);
    const [first] = meant;
    if (!first) throw notFound('binding of this agent');
    for (const binding of meant) {
      if (bindingStates.moves(binding.status, 'unlinked')) await end(tx, context, found, binding, input.reason);
    }
    return describeMove(found, first).output;
  });
}

/** The binding to the company as a whole, if there is one, before those to its cases. */
function bindingsMeant(found: FoundAgent, { company_id, case_id }: InputOf<Op>): AgentBinding[] {
  const exact = bindingAt(found, { company_id, case_id });
  const others = found.bindings.filter((binding) => binding.companyId === company_id && binding !== exact);
  return [...(exact ? [exact] : []), ...(case_id == null ? others : [])];
}

async function end(
  tx: Work,
  context: Context,
  found: FoundAgent,
  binding: AgentBinding,
  reason: InputOf<Op>['reason'],
): Promise<void> {
  const before = binding.toRecord();
  const now = context.clock.now();
  tx.em.assign(binding, { status: 'unlinked', unlinkedAt: now, updatedAt: now });
  await tx.em.flush();
  await audit(tx, context, {
    action: 'agents.detach',
    companyId: binding.companyId,
    resourceId: found.agent.id,
    before,
    after: binding.toRecord(),
  });
  await emit(tx, context, {
    type: 'agent.unlinked',
    accountId: context.accountId,
    companyId: binding.companyId,
    data: { ...describeMove(found, binding).data, reason: reason ?? null },
  });
}

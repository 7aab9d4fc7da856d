import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { bindingStates } from './agent-states.ts';
import { bindingAt, describeMove } from './binding-at.ts';
import { takeAgent } from './find-agent.ts';

type Op = typeof operations.agents.detach;

/**
 * Detaches an agent from a company, or from one case of it, and emits `agent.unlinked`; a repeat changes nothing. It
 * works for a dissolved company too, whose records the agent could otherwise read for ever.
 */
export async function detachAgent(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_id }, async (tx) => {
    const found = await takeAgent(tx.em, context, input.agent_id);
    const binding = bindingAt(found, input);
    if (!binding) throw notFound('binding of this agent');
    const before = binding.toRecord();
    if (!bindingStates.moves(binding.status, 'unlinked')) return describeMove(found, binding).output;
    const now = context.clock.now();
    tx.em.assign(binding, { status: 'unlinked', unlinkedAt: now, updatedAt: now });
    await tx.em.flush();
    const { output, data } = describeMove(found, binding);
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
      data: { ...data, reason: input.reason ?? null },
    });
    return output;
  });
}

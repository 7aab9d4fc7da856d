import { agentBinding, type operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { record } from '../../kernel/record.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { addBinding } from './add-binding.ts';
import { bindingStates } from './agent-states.ts';
import { assertCase } from './assert-case.ts';
import { bindingAt, describeMove } from './binding-at.ts';
import { lockAgent } from './find-agent.ts';

type Op = typeof operations.agents.attach;

export async function attachAgent(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_id }, async (tx) => {
    const found = await lockAgent(tx.em, context, input.agent_id);
    await lockCompany(tx, context, input.company_id);
    await assertCase(tx, context, input.company_id, input.case_id);
    const known = bindingAt(found, input);
    const before = known && record(agentBinding, known);
    const isNew = known === undefined || known.status === 'unlinked';
    const role = input.role ?? known?.role ?? null;
    if (known && !isNew && role === (known.role ?? null)) {
      return { ...describeMove(found, known).output, result: 'unchanged' };
    }
    const now = context.clock.now();
    const binding = known ?? addBinding(tx, context, { ...input, role });
    if (!known) found.bindings.push(binding);
    else tx.em.assign(known, { role, updated_at: now });
    if (known && isNew && bindingStates.moves(known.status, 'linked')) {
      tx.em.assign(known, { status: 'linked', linked_at: now, unlinked_at: null });
    }
    await tx.em.flush();
    const { output, data } = describeMove(found, binding);
    await recordChange(tx, context, {
      action: 'agents.attach',
      resourceId: found.agent.id,
      before,
      after: data.binding,
      event: isNew ? { type: 'agent.linked', data } : undefined,
    });
    return { ...output, result: known ? 'updated' : 'created' };
  });
}

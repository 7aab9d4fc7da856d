import { agentBinding, type operations } from '@finhook/contracts';
import { audit } from '../../outbox/audit.ts';
import { emit } from '../../outbox/emit.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import {
  type AgentBinding,
  addBinding,
  bindingAt,
  bindingStates,
  describeMove,
  type FoundAgent,
  lockAgent,
} from './agent.ts';
import { assertCase } from './lock-agent-at.ts';

export const attachAgent: Verb<typeof operations.agents.attach> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.agent_id }, async (tx) => {
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
    const binding = known ?? (await addBinding(tx, context, { ...input, role }));
    if (!known) found.bindings.push(binding);
    else tx.em.assign(known, { role, updated_at: now });
    if (known && isNew && bindingStates.moves(known.status, 'linked')) {
      tx.em.assign(known, { status: 'linked', linked_at: now, unlinked_at: null });
    }
    await tx.em.flush();
    const { output, data } = describeMove(found, binding);
    recordChange(tx, context, {
      action: 'agents.attach',
      resourceId: found.agent.id,
      before,
      after: data.binding,
      event: isNew ? { type: 'agent.linked', data } : undefined,
    });
    return { ...output, result: known ? 'updated' : 'created' };
  });

type DetachOp = typeof operations.agents.detach;

/** Ends the bindings to the company's cases too: each would keep access. Works for dissolved companies as well. */
export const detachAgent: Verb<DetachOp> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.agent_id }, async (tx) => {
    const found = await lockAgent(tx.em, context, input.agent_id);
    const selected = selectBindings(found, input);
    const [first] = selected;
    if (!first) throw notFound('binding of this agent');
    const ending = selected.filter(({ status }) => bindingStates.moves(status, 'unlinked'));
    if (ending.length > 0) await endBindings(tx, context, found, ending, input);
    return describeMove(found, first).output;
  });

/** The binding to the whole company comes first. */
function selectBindings(found: FoundAgent, { company_id, case_id }: InputOf<DetachOp>): AgentBinding[] {
  const exact = bindingAt(found, { company_id, case_id });
  const others = found.bindings.filter((binding) => binding.company_id === company_id && binding !== exact);
  return [...(exact ? [exact] : []), ...(case_id == null ? others : [])];
}

async function endBindings(
  tx: UnitOfWork,
  context: Context,
  found: FoundAgent,
  bindings: readonly AgentBinding[],
  { company_id: companyId, reason }: InputOf<DetachOp>,
): Promise<void> {
  const before = withOthers(bindings);
  const now = context.clock.now();
  for (const binding of bindings) tx.em.assign(binding, { status: 'unlinked', unlinked_at: now, updated_at: now });
  await tx.em.flush();
  const after = withOthers(bindings);
  audit(tx, context, { action: 'agents.detach', companyId, resourceId: found.agent.id, before, after });
  for (const binding of bindings) {
    emit(tx, context, {
      type: 'agent.unlinked',
      companyId,
      data: { ...describeMove(found, binding).data, reason: reason ?? null },
    });
  }
}

function withOthers([first, ...others]: readonly AgentBinding[]): object {
  return { ...(first && record(agentBinding, first)), others: others.map((one) => record(agentBinding, one)) };
}

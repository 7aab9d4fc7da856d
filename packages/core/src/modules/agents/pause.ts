import { agentBinding, type operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound, rejectFields } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import type { InputOf, OutputOf, Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import {
  agentStates,
  assertFullAgentAccess,
  bindingAt,
  bindingDetached,
  bindingStates,
  describeMove,
  type FoundAgent,
  lockAgent,
  toAgent,
} from './agent.ts';

type Input = InputOf<typeof operations.agents.pause | typeof operations.agents.resume>;
type Output = OutputOf<typeof operations.agents.pause>;

interface Direction {
  action: 'agents.pause' | 'agents.resume';
  event: 'agent.paused' | 'agent.resumed';
  agent: 'paused' | 'active';
  binding: 'paused' | 'linked';
}

const pausing: Direction = { action: 'agents.pause', event: 'agent.paused', agent: 'paused', binding: 'paused' };
const resuming: Direction = { action: 'agents.resume', event: 'agent.resumed', agent: 'active', binding: 'linked' };

export const pauseAgent: Verb<typeof operations.agents.pause> = (context, input) => move(context, input, pausing);

export const resumeAgent: Verb<typeof operations.agents.resume> = (context, input) => move(context, input, resuming);

async function move(context: Context, input: Input, direction: Direction): Promise<Output> {
  if (input.company_id == null && input.case_id != null) {
    rejectFields([{ pointer: '/company_id', code: 'required', message: 'is required with case_id' }]);
  }
  return transaction(context, { records: 'audit and event', lock: input.agent_id }, async (tx) => {
    const found = await lockAgent(tx.em, context, input.agent_id);
    return input.company_id == null
      ? moveAgent(tx, context, found, input, direction)
      : moveBinding(tx, context, found, { ...input, company_id: input.company_id }, direction);
  });
}

async function moveAgent(
  tx: UnitOfWork,
  context: Context,
  found: FoundAgent,
  input: Input,
  to: Direction,
): Promise<Output> {
  assertFullAgentAccess(found);
  const { agent, bindings } = found;
  const before = toAgent(agent, bindings);
  if (!agentStates.moves(agent.status, to.agent)) return { ...before, binding: null };
  const reason = input.reason ?? null;
  agent.status = to.agent;
  agent.paused_reason = to.agent === 'paused' ? reason : null;
  agent.updated_at = context.clock.now();
  await tx.em.flush();
  const after = toAgent(agent, bindings);
  const data = { ...after, binding: null, scope: 'agent', reason, actor: context.actor } as const;
  recordChange(tx, context, { action: to.action, before, after, event: { type: to.event, data } });
  return { ...after, binding: null };
}

async function moveBinding(
  tx: UnitOfWork,
  context: Context,
  found: FoundAgent,
  input: Input & { company_id: string },
  to: Direction,
): Promise<Output> {
  await lockCompany(tx, context, input.company_id);
  const binding = bindingAt(found, input);
  if (!binding) throw notFound('binding of this agent');
  if (binding.status === 'unlinked') throw bindingDetached();
  const before = record(agentBinding, binding);
  if (!bindingStates.moves(binding.status, to.binding)) return describeMove(found, binding).output;
  tx.em.assign(binding, { status: to.binding, updated_at: context.clock.now() });
  await tx.em.flush();
  const { output, data } = describeMove(found, binding);
  recordChange(tx, context, {
    action: to.action,
    resourceId: found.agent.id,
    before,
    after: data.binding,
    event: { type: to.event, data: { ...data, scope: 'binding', reason: input.reason ?? null, actor: context.actor } },
  });
  return output;
}

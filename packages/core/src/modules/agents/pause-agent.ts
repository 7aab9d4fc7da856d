import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { invalidFields, notFound } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { agentStates, bindingDetached, bindingStates } from './agent-states.ts';
import { bindingAt, describeMove } from './binding-at.ts';
import { assertWholeAgent, type FoundAgent, takeAgent } from './find-agent.ts';

type PauseOp = typeof operations.agents.pause;
type ResumeOp = typeof operations.agents.resume;
type Input = InputOf<PauseOp> | InputOf<ResumeOp>;
type Output = OutputOf<PauseOp>;

interface Direction {
  action: 'agents.pause' | 'agents.resume';
  event: 'agent.paused' | 'agent.resumed';
  agent: 'paused' | 'active';
  binding: 'paused' | 'linked';
}

const pausing: Direction = { action: 'agents.pause', event: 'agent.paused', agent: 'paused', binding: 'paused' };
const resuming: Direction = { action: 'agents.resume', event: 'agent.resumed', agent: 'active', binding: 'linked' };

/** Pauses an agent, or its binding to one company or case, and emits `agent.paused`; a repeat changes nothing. */
export function pauseAgent(context: Context, input: InputOf<PauseOp>): Promise<OutputOf<PauseOp>> {
  return move(context, input, pausing);
}

/** Resumes an agent, or its binding to one company or case, and emits `agent.resumed`; a repeat changes nothing. */
export function resumeAgent(context: Context, input: InputOf<ResumeOp>): Promise<OutputOf<ResumeOp>> {
  return move(context, input, resuming);
}

async function move(context: Context, input: Input, direction: Direction): Promise<Output> {
  if (input.company_id == null && input.case_id != null) {
    invalidFields([{ pointer: '/company_id', code: 'required', message: 'is required beside case_id' }]);
  }
  return transaction(context, { lock: input.agent_id }, async (tx) => {
    const found = await takeAgent(tx.em, context, input.agent_id);
    return input.company_id == null
      ? moveAgent(tx, context, found, input, direction)
      : moveBinding(tx, context, found, { ...input, company_id: input.company_id }, direction);
  });
}

async function moveAgent(tx: Work, context: Context, found: FoundAgent, input: Input, to: Direction): Promise<Output> {
  assertWholeAgent(found);
  const { agent, bindings } = found;
  const before = agent.toRecord(bindings);
  if (!agentStates.moves(agent.status, to.agent)) return { ...before, binding: null };
  const reason = input.reason ?? null;
  agent.status = to.agent;
  agent.pausedReason = to.agent === 'paused' ? reason : null;
  agent.updatedAt = context.clock.now();
  await tx.em.flush();
  const record = agent.toRecord(bindings);
  await audit(tx, context, { action: to.action, resourceId: agent.id, before, after: record });
  await emit(tx, context, {
    type: to.event,
    data: { ...record, binding: null, scope: 'agent', reason, actor: context.actor },
  });
  return { ...record, binding: null };
}

async function moveBinding(
  tx: Work,
  context: Context,
  found: FoundAgent,
  input: Input & { company_id: string },
  to: Direction,
): Promise<Output> {
  const company = await lockCompany(tx, context, input.company_id);
  const binding = bindingAt(found, input);
  if (!binding) throw notFound('binding of this agent');
  if (binding.status === 'unlinked') throw bindingDetached();
  const before = binding.toRecord();
  if (!bindingStates.moves(binding.status, to.binding)) return describeMove(found, binding).output;
  tx.em.assign(binding, { status: to.binding, updatedAt: context.clock.now() });
  await tx.em.flush();
  const { output, data } = describeMove(found, binding);
  await audit(tx, context, {
    action: to.action,
    companyId: company.id,
    resourceId: found.agent.id,
    before,
    after: binding.toRecord(),
  });
  await emit(tx, context, {
    type: to.event,
    companyId: company.id,
    data: { ...data, scope: 'binding', reason: input.reason ?? null, actor: context.actor },
  });
  return output;
}

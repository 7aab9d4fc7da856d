import type { operations } from '@finhook/contracts';
import { changesBetween, keepSame, recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { assignGiven } from '../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { type Agent, agentFields, assertFullAgentAccess, lockAgent, toAgent } from './agent.ts';

type Op = typeof operations.agents.update;

const UNREPORTED = ['updated_at', 'metadata'];

export const updateAgent: Verb<Op> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.agent_id }, async (tx) => {
    const found = await lockAgent(tx.em, context, input.agent_id);
    assertFullAgentAccess(found);
    const { agent, bindings } = found;
    const before = toAgent(agent, bindings);
    assign(agent, input);
    if (changesBetween(before, toAgent(agent, bindings)).changed.length === 0) return before;
    agent.updated_at = context.clock.now();
    await tx.em.flush();
    const after = toAgent(agent, bindings);
    const changes = changesBetween(before, after, UNREPORTED);
    const isUnreported = changes.changed.length === 0;
    const event = isUnreported ? undefined : ({ type: 'agent.updated', data: { ...after, ...changes } } as const);
    recordChange(tx, context, { action: 'agents.update', before, after, event });
    return after;
  });

function assign(agent: Agent, input: InputOf<Op>): void {
  assignGiven(agent, input, agentFields);
  if (input.metadata !== undefined) agent.metadata = keepSame(agent.metadata, input.metadata ?? {});
}

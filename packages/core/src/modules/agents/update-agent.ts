import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import { changesBetween, keepSame } from '../../kernel/changes.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import type { Agent } from './agent.entity.ts';
import { assertWholeAgent, takeAgent } from './find-agent.ts';

type Op = typeof operations.agents.update;

/** What `agent.updated` does not tell of. */
const SILENT = ['updated_at', 'metadata'];

/** Changes an agent; `null` empties a field. Metadata is replaced as a whole, and its change alone emits nothing. */
export async function updateAgent(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.agent_id }, async (tx) => {
    const found = await takeAgent(tx.em, context, input.agent_id);
    assertWholeAgent(found);
    const { agent, bindings } = found;
    const before = agent.toRecord(bindings);
    assign(agent, input);
    if (changesBetween(before, agent.toRecord(bindings)).changed.length === 0) return before;
    agent.updatedAt = context.clock.now();
    await tx.em.flush();
    const record = agent.toRecord(bindings);
    await audit(tx, context, { action: 'agents.update', resourceId: agent.id, before, after: record });
    const changes = changesBetween(before, record, SILENT);
    if (changes.changed.length > 0) {
      const data = { ...record, ...changes };
      await emit(tx, context, { type: 'agent.updated', data });
    }
    return record;
  });
}

function assign(agent: Agent, input: InputOf<Op>): void {
  if (input.name !== undefined) agent.name = input.name;
  if (input.provider !== undefined) agent.provider = input.provider;
  if (input.model !== undefined) agent.model = input.model;
  if (input.phone !== undefined) agent.phone = input.phone;
  if (input.email !== undefined) agent.email = input.email;
  if (input.metadata !== undefined) agent.metadata = keepSame(agent.metadata, input.metadata ?? {});
}

import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { assertCase } from '../agents/assert-case.ts';
import { lockAgentAt } from '../agents/lock-agent-at.ts';
import { AgentFlag } from './agent-flag.entity.ts';
import { assertActionOf } from './assert-work-of.ts';

type Op = typeof operations.agentFlags.create;

/**
 * Raises a flag about an agent's work for a company, and emits `agent.flag.created`. The agent may be paused or
 * detached by now: what it did can still be flagged.
 */
export async function createFlag(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    await lockAgentAt(tx, context, input, { evenDetached: true });
    await assertCase(tx, context, input.company_id, input.case_id);
    const place = { agentId: input.agent_id, companyId: input.company_id };
    await assertActionOf(tx.em, place, input.action_id);
    const now = context.clock.now();
    const flag = tx.em.create(AgentFlag, {
      id: context.newId('flag'),
      accountId: context.accountId,
      ...place,
      actionId: input.action_id ?? null,
      caseId: input.case_id ?? null,
      severity: input.severity ?? 'warning',
      title: input.title,
      body: input.body ?? null,
      status: 'open',
      raisedBy: context.actor,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.flush();
    const record = flag.toRecord();
    const { companyId } = place;
    await audit(tx, context, { action: 'agentFlags.create', companyId, resourceId: flag.id, after: record });
    await emit(tx, context, { type: 'agent.flag.created', companyId, data: record });
    return record;
  });
}

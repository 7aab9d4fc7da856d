import { agentFlag, type operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { assertCase } from '../../agents/assert-case.ts';
import { lockAgentAt } from '../../agents/lock-agent-at.ts';
import { assertActionOf } from '../agent-work.ts';
import { AgentFlag } from './agent-flag.entity.ts';

type Op = typeof operations.agentFlags.create;

export async function createFlag(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    await lockAgentAt(tx, context, input, { evenDetached: true });
    await assertCase(tx, context, input.company_id, input.case_id);
    const { agent_id, company_id } = input;
    await assertActionOf(tx.em, input, input.action_id);
    const now = context.clock.now();
    const flag = tx.em.create(AgentFlag, {
      id: context.newId('flag'),
      account_id: context.accountId,
      agent_id,
      company_id,
      action_id: input.action_id ?? null,
      case_id: input.case_id ?? null,
      severity: input.severity ?? 'warning',
      title: input.title,
      body: input.body ?? null,
      status: 'open',
      raised_by: context.actor,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    const after = record(agentFlag, flag);
    const event = { type: 'agent.flag.created', data: after } as const;
    await recordChange(tx, context, { action: 'agentFlags.create', after, event });
    return after;
  });
}

import type { agentApproval, operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.ts';
import { filterExpiring } from '../../../kernel/keyset.ts';
import type { RowOf } from '../../../kernel/record.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { filterAgentWork, visibleWork } from '../agent-work.ts';
import { AgentApproval, toAgentApproval } from './agent-approval.entity.ts';

type GetOp = typeof operations.agentApprovals.get;

/** The approval, if the caller may see it; `lock` locks its row for the transaction. */
export async function findApproval(
  em: EntityManager,
  context: Context,
  id: string,
  lock = false,
): Promise<AgentApproval> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const found = await em.findOne(AgentApproval, { id, account_id: context.accountId }, options);
  return visibleWork(context, found, 'approval');
}

export async function getAgentApproval(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const found = await findApproval(context.database.em(), context, input.agent_approval_id);
  return toAgentApproval(found, context.clock.now());
}

export const listAgentApprovals = listVerb<typeof operations.agentApprovals.list, RowOf<typeof agentApproval>, Date>({
  table: 'agent_approval',
  prefix: 'aap',
  times: false,
  async filters(filters, context, input) {
    const now = context.clock.now();
    await filterAgentWork(filters, context, input);
    filters.whereTimes({ ...input, updated_since: undefined });
    filterExpiring(filters, input, now);
    filters.whereEqual(input, ['action_id']);
    return now;
  },
  map: toAgentApproval,
});

import { agentFlag, type operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.ts';
import { type RowOf, record } from '../../../kernel/record.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { filterAgentWork, visibleWork } from '../agent-work.ts';
import { AgentFlag } from './agent-flag.entity.ts';

type GetOp = typeof operations.agentFlags.get;

/** The flag, if the caller may see it; `lock` locks its row for the transaction. */
export async function findFlag(em: EntityManager, context: Context, id: string, lock = false): Promise<AgentFlag> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const found = await em.findOne(AgentFlag, { id, account_id: context.accountId }, options);
  return visibleWork(context, found, 'flag');
}

export async function getFlag(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return record(agentFlag, await findFlag(context.database.em(), context, input.flag_id));
}

export const listFlags = listVerb<typeof operations.agentFlags.list, RowOf<typeof agentFlag>>({
  table: 'agent_flag',
  prefix: 'flag',
  async filters(filters, context, input) {
    await filterAgentWork(filters, context, input);
    filters.whereEqual(input, ['status', 'severity', 'action_id']);
  },
  map: (row) => record(agentFlag, row),
});

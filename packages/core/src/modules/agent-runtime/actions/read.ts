import { agentAction, type operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.ts';
import { type RowOf, record } from '../../../kernel/record.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { filterAgentWork, visibleWork } from '../agent-work.ts';
import { AgentAction } from './agent-action.entity.ts';

type GetOp = typeof operations.agentActions.get;

/** The action, if the caller may see it; `lock` locks its row for the transaction. */
export async function findAction(em: EntityManager, context: Context, id: string, lock = false): Promise<AgentAction> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const found = await em.findOne(AgentAction, { id, account_id: context.accountId }, options);
  return visibleWork(context, found, 'action');
}

export async function getAction(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return record(agentAction, await findAction(context.database.em(), context, input.action_id));
}

export const listActions = listVerb<typeof operations.agentActions.list, RowOf<typeof agentAction, 'duration_ms'>>({
  table: 'agent_action',
  prefix: 'act',
  async filters(filters, context, input) {
    await filterAgentWork(filters, context, input);
    filters.whereEqual(input, ['status', 'type', 'run_id', 'external_id', 'case_id']);
  },
  map: (row) => record(agentAction, row),
});

import type { operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { AgentAction } from './agent-action.entity.ts';
import { agentWorkFilters } from './agent-work-filters.ts';
import { mayKnowRecord } from './may-know-record.ts';

type GetOp = typeof operations.agentActions.get;
type ListOp = typeof operations.agentActions.list;

/** The action, if the caller reaches it; with `lock` it is held until the transaction ends. */
export async function findAction(em: EntityManager, context: Context, id: string, lock = false): Promise<AgentAction> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const action = await em.findOne(AgentAction, { id, accountId: context.accountId }, options);
  if (!action || !mayKnowRecord(context, action)) throw notFound('action');
  return action;
}

/** Reads an action. */
export async function getAction(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findAction(context.database.em(), context, input.action_id)).toRecord();
}

/** Lists the actions of an agent, newest first. */
export async function listActions(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const filters = await agentWorkFilters(context, input);
  filters.where(input.status, 'status = ?');
  filters.where(input.type, 'type = ?');
  filters.where(input.run_id, 'run_id = ?');
  filters.where(input.external_id, 'external_id = ?');
  filters.where(input.case_id, 'case_id = ?');
  const em = context.database.em();
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'agent_action',
    filters,
    sort: [byId('act')],
    page: input,
    toItem: (row) => em.map(AgentAction, row).toRecord(),
  });
}

import type { operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { AgentFlag } from './agent-flag.entity.ts';
import { agentWorkFilters } from './agent-work-filters.ts';
import { mayKnowRecord } from './may-know-record.ts';

type GetOp = typeof operations.agentFlags.get;
type ListOp = typeof operations.agentFlags.list;

/** The flag, if the caller reaches it; with `lock` it is held until the transaction ends. */
export async function findFlag(em: EntityManager, context: Context, id: string, lock = false): Promise<AgentFlag> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const flag = await em.findOne(AgentFlag, { id, accountId: context.accountId }, options);
  if (!flag || !mayKnowRecord(context, flag)) throw notFound('flag');
  return flag;
}

/** Reads a flag. */
export async function getFlag(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findFlag(context.database.em(), context, input.flag_id)).toRecord();
}

/** Lists the flags of an agent, newest first. */
export async function listFlags(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const filters = await agentWorkFilters(context, input);
  filters.where(input.status, 'status = ?');
  filters.where(input.severity, 'severity = ?');
  filters.where(input.action_id, 'action_id = ?');
  const em = context.database.em();
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'agent_flag',
    filters,
    sort: [byId('flag')],
    page: input,
    toItem: (row) => em.map(AgentFlag, row).toRecord(),
  });
}

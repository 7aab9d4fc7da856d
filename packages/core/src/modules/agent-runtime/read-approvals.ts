import type { operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { AgentApproval } from './agent-approval.entity.ts';
import { agentWorkFilters } from './agent-work-filters.ts';
import { mayKnowRecord } from './may-know-record.ts';

type GetOp = typeof operations.agentApprovals.get;
type ListOp = typeof operations.agentApprovals.list;

/** The approval, if the caller reaches it, locked until the transaction ends. */
export async function takeApproval(em: EntityManager, context: Context, id: string): Promise<AgentApproval> {
  return find(em, context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

async function find(
  em: EntityManager,
  context: Context,
  id: string,
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE },
): Promise<AgentApproval> {
  const approval = await em.findOne(AgentApproval, { id, accountId: context.accountId }, options);
  if (!approval || !mayKnowRecord(context, approval)) throw notFound('approval');
  return approval;
}

/** Reads an approval. */
export async function getAgentApproval(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await find(context.database.em(), context, input.agent_approval_id, {})).toRecord();
}

/** Lists the approvals that an agent asked for, newest first. */
export async function listAgentApprovals(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const filters = await agentWorkFilters(context, input);
  filters.when(input.status, 'status = ?');
  filters.when(input.action_id, 'action_id = ?');
  const em = context.database.em();
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'agent_approval',
    filters,
    sort: [{ sql: 'id', cast: 'text', read: (row) => row.id }],
    page: input,
    toItem: (row) => em.map(AgentApproval, row).toRecord(),
  });
}

import type { operations } from '@finhook/contracts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { filterExpiring } from '../../kernel/filter-expiring.ts';
import { byId, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { AgentApproval } from './agent-approval.entity.ts';
import { agentWorkFilters } from './agent-work-filters.ts';
import { mayKnowRecord } from './may-know-record.ts';

type GetOp = typeof operations.agentApprovals.get;
type ListOp = typeof operations.agentApprovals.list;

/** The approval, if the caller reaches it; with `lock` it is held until the transaction ends. */
export async function findApproval(
  em: EntityManager,
  context: Context,
  id: string,
  lock = false,
): Promise<AgentApproval> {
  const options = lock ? { lockMode: LockMode.PESSIMISTIC_WRITE as const } : {};
  const approval = await em.findOne(AgentApproval, { id, accountId: context.accountId }, options);
  if (!approval || !mayKnowRecord(context, approval)) throw notFound('approval');
  return approval;
}

/** Reads an approval, as it is now. */
export async function getAgentApproval(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findApproval(context.database.em(), context, input.agent_approval_id)).recordAt(context.clock.now());
}

/** Lists the approvals that an agent asked for, newest first. A pending one whose time is over counts as expired. */
export async function listAgentApprovals(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const now = context.clock.now();
  const filters = await agentWorkFilters(context, { ...input, updated_since: undefined });
  filterExpiring(filters, input, now);
  filters.where(input.action_id, 'action_id = ?');
  const em = context.database.em();
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'agent_approval',
    filters,
    sort: [byId('aap')],
    page: input,
    toItem: (row) => em.map(AgentApproval, row).recordAt(now),
  });
}

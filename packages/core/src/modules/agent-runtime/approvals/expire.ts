import { agentApproval } from '@finhook/contracts';
import { LockMode } from '@mikro-orm/postgresql';
import { statement } from '../../../db/queryable.ts';
import { forEachSettled } from '../../../kernel/batching.ts';
import { type Core, systemContext } from '../../../kernel/context.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import { AgentApproval } from './agent-approval.entity.ts';

const findExpired = statement(
  'find_expired_agent_approvals',
  `SELECT id, account_id FROM agent_approval WHERE status = 'pending' AND expires_at <= $1
   ORDER BY expires_at LIMIT $2`,
);

/**
 * Stores overdue pending approvals as `expired`, the oldest first, each in its own transaction with its audit row and
 * `agent.approval.decided`. Returns their number; fewer than `limit` means that no more are left.
 */
export async function expireAgentApprovals(core: Core, limit: number): Promise<number> {
  const rows = await core.database.query<{ id: string; account_id: string }>(findExpired, [
    core.clock.now().toISOString(),
    limit,
  ]);
  let expired = 0;
  await forEachSettled(rows, async ({ id, account_id }) => {
    if (await expire(core, id, account_id)) expired += 1;
  });
  return expired;
}

async function expire(core: Core, id: string, accountId: string): Promise<boolean> {
  const context = systemContext(core, accountId, 'agent_approvals_expire');
  return transaction(context, { lock: id }, async (tx) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const approval = await tx.em.findOne(AgentApproval, { id, account_id: accountId, status: 'pending' }, { lockMode });
    if (!approval) return false;
    const before = record(agentApproval, approval);
    const now = context.clock.now();
    const at = approval.expires_at ?? now;
    // Reads return this state since then.
    tx.em.assign(approval, { status: 'expired', decided_at: at, decided_by: context.actor, updated_at: at });
    await tx.em.flush();
    const after = record(agentApproval, approval);
    const event = { type: 'agent.approval.decided', data: after } as const;
    await recordChange(tx, context, { action: 'agentApprovals.expire', before, after, event });
    return true;
  });
}

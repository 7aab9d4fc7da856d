import { LockMode } from '@mikro-orm/postgresql';
import { audit } from '../../kernel/audit.ts';
import type { Core } from '../../kernel/context.ts';
import { eachApart } from '../../kernel/each-apart.ts';
import { emit } from '../../kernel/emit.ts';
import { statement } from '../../kernel/queryable.ts';
import { systemContext } from '../../kernel/system-context.ts';
import { transaction } from '../../kernel/transaction.ts';
import { AgentApproval } from './agent-approval.entity.ts';

const findExpired = statement(
  'find_expired_agent_approvals',
  `SELECT id, account_id FROM agent_approval WHERE status = 'pending' AND expires_at <= $1
   ORDER BY expires_at LIMIT $2`,
);

/**
 * Turns pending approvals whose time is over into `expired`, the oldest first, each in a transaction of its own with
 * its audit row and `agent.approval.decided`. Returns how many; fewer than `limit` means that none is left.
 */
export async function expireAgentApprovals(core: Core, limit: number): Promise<number> {
  const rows = await core.database.query<{ id: string; account_id: string }>(findExpired, [
    core.clock.now().toISOString(),
    limit,
  ]);
  let expired = 0;
  await eachApart(rows, async ({ id, account_id }) => {
    if (await expire(core, id, account_id)) expired += 1;
  });
  return expired;
}

/** Whether it expired now: a reviewer may have been first, or another worker. */
async function expire(core: Core, id: string, accountId: string): Promise<boolean> {
  const context = systemContext(core, accountId, 'agent_approvals_expire');
  return transaction(context, { lock: id }, async (tx) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const approval = await tx.em.findOne(AgentApproval, { id, accountId, status: 'pending' }, { lockMode });
    if (!approval) return false;
    const before = approval.toRecord();
    const now = context.clock.now();
    const at = approval.expiresAt ?? now;
    // What reading told already: storing it changes nothing that anybody saw.
    tx.em.assign(approval, { status: 'expired', decidedAt: at, decidedBy: context.actor, updatedAt: at });
    await tx.em.flush();
    const record = approval.toRecord();
    const { companyId } = approval;
    await audit(tx, context, { action: 'agentApprovals.expire', companyId, resourceId: id, before, after: record });
    await emit(tx, context, { type: 'agent.approval.decided', companyId, data: record });
    return true;
  });
}

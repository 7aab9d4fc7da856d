import type { AgentApproval as AgentApprovalRecord, operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import { isSameJson } from '../../kernel/changes.ts';
import type { Context } from '../../kernel/context.ts';
import { DomainError, invalidFields } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { refuseTransition } from '../../kernel/state-machine.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/index.ts';
import { findApproval } from './read-approvals.ts';
import { redactSecrets } from './redact-secrets.ts';
import { approvalStates } from './runtime-states.ts';

type Op = typeof operations.agentApprovals.decide;

const decisions = { approve: 'approved', deny: 'denied' } as const;

/**
 * Decides once, and emits `agent.approval.decided`. The same reviewer may repeat the same decision; every other second
 * decision is 409, also an equal one of another reviewer, so that each knows whether its own word counted.
 */
export async function decideApproval(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  refuseAgents(context);
  if (input.decision === 'deny' && input.edited_payload != null) {
    const message = 'is only for decision approve';
    invalidFields([{ pointer: '/edited_payload', code: 'not_applicable', message }]);
  }
  const status = decisions[input.decision];
  const editedPayload = redactSecrets(input.edited_payload ?? null);
  return transaction(context, { lock: input.agent_approval_id }, async (tx) => {
    const approval = await findApproval(tx.em, context, input.agent_approval_id, true);
    await lockCompany(tx, context, approval.companyId);
    const now = context.clock.now();
    const before = approval.recordAt(now);
    if (isRepeat(context, before, status, editedPayload)) return before;
    if (before.status === status) throw refuseTransition('approval', status, status, []);
    approvalStates.moves(before.status, status);
    tx.em.assign(approval, { status, decidedAt: now, decidedBy: context.actor, updatedAt: now });
    tx.em.assign(approval, { decisionComment: input.comment ?? null, editedPayload });
    await tx.em.flush();
    const record = approval.toRecord();
    const { companyId, id } = approval;
    await audit(tx, context, { action: 'agentApprovals.decide', companyId, resourceId: id, before, after: record });
    await emit(tx, context, { type: 'agent.approval.decided', companyId, data: record });
    return record;
  });
}

/** A second barrier behind the operation's scopes: an agent never approves what it asked for (S7). */
function refuseAgents({ scope }: Context): void {
  if (scope === 'human') return;
  throw new DomainError('insufficient_scope', {
    detail: 'Only a key of scope human decides approvals.',
    extra: { scope, required: ['human'] },
  });
}

function isRepeat(context: Context, stored: AgentApprovalRecord, status: string, editedPayload: unknown): boolean {
  return (
    stored.status === status &&
    stored.decided_by?.type === context.actor.type &&
    stored.decided_by.id === context.actor.id &&
    isSameJson(editedPayload, stored.edited_payload)
  );
}

import type { AgentApprovalDecision, AgentApproval as AgentApprovalRecord, operations } from '@finhook/contracts';
import { LockMode } from '@mikro-orm/postgresql';
import { type Queryable, systemStatement } from '../../../db/queryable.ts';
import { isSameJson, recordChange } from '../../../outbox/record-change.ts';
import { isNotMoving } from '../../../outbox/sequence-sql.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { forEachSettled } from '../../../verbs/batching.ts';
import { type Context, type Core, systemContext } from '../../../verbs/context.ts';
import { DomainError, rejectFields } from '../../../verbs/domain-error.ts';
import { rejectTransition } from '../../../verbs/state-machine.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { personKeys } from '../../accounts/api-keys/read.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { redactSecrets } from '../actions/redact-secrets.ts';
import { AgentApproval, approvalStates, findApproval, toAgentApproval, toStoredApproval } from './approval.ts';
import { approvalActorOf } from './approval-actor.ts';

const decisions = { approve: 'approved', deny: 'denied' } as const;

/** Only the reviewer may repeat a decision; others get a 409, so that they know that theirs did not count. */
export const decideApproval: Verb<typeof operations.agentApprovals.decide> = async (context, input) => {
  rejectAgents(context);
  if (input.decision === 'deny' && input.edited_payload != null) {
    const message = 'is only for decision approve';
    rejectFields([{ pointer: '/edited_payload', code: 'not_applicable', message }]);
  }
  const status = decisions[input.decision];
  const edited_payload = redactSecrets(input.edited_payload ?? null);
  return transaction(context, { records: 'audit and event', lock: input.agent_approval_id }, async (tx) => {
    const approval = await findApproval(tx.em, context, input.agent_approval_id, true);
    await lockCompany(tx, context, approval.company_id);
    const now = context.clock.now();
    const before = toAgentApproval(approval, now);
    const chosen_option = input.option ?? null;
    if (chosen_option !== null) checkOption(before, chosen_option, input.decision);
    if (isRepeat(context, before, { status, edited_payload, chosen_option })) return before;
    if (before.status === status) throw rejectTransition('approval', status, status, []);
    approvalStates.moves(before.status, status);
    await rejectRequester(tx, context, before);
    tx.em.assign(approval, { status, decided_at: now, decided_by: approvalActorOf(context), updated_at: now });
    tx.em.assign(approval, { decision_comment: input.comment ?? null, chosen_option, edited_payload });
    await tx.em.flush();
    const after = toStoredApproval(approval);
    const event = { type: 'agent.approval.decided', data: after } as const;
    recordChange(tx, context, { action: 'agentApprovals.decide', before, after, event });
    return after;
  });
};

function checkOption(
  { options, option_decisions }: AgentApprovalRecord,
  option: string,
  decision: AgentApprovalDecision,
): void {
  const made = option_decisions[options.indexOf(option)];
  if (made === decision) return;
  if (made !== undefined) {
    throw new DomainError('option_contradicts_decision', {
      detail: `The option "${option}" makes the decision ${made}, and the request says ${decision}. Send decision ${made}, or another option.`,
      extra: { option_decision: made },
    });
  }
  const offered = options.map((each) => `"${each}"`).join(', ');
  const message = offered === '' ? 'is not applicable: no options were offered' : `must be one of ${offered}`;
  rejectFields([{ pointer: '/option', code: offered === '' ? 'not_applicable' : 'enum_unknown', message }]);
}

/** Checked besides the operation's scopes: an agent must never approve its own request. */
function rejectAgents({ scope }: Context): void {
  if (scope === 'human') return;
  throw new DomainError('insufficient_scope', {
    detail: 'Only a key of scope human can decide approvals.',
    extra: { scope, required: ['human'] },
  });
}

/** The person who created an agent's key may decide on the agent's requests, but not on their own. */
async function rejectRequester(tx: Queryable, context: Context, { requested_by }: AgentApprovalRecord): Promise<void> {
  if (requested_by?.type !== 'api_key') return;
  const keys = await personKeys(tx, context);
  if (!keys.has(requested_by.id)) return;
  throw new DomainError('self_review', {
    detail:
      'Your key belongs to the person who requested this approval. Let the agent request it with its own key, or let another ' +
      'person decide, with a key that an operator created for them (account:key).',
  });
}

type Decision = Pick<AgentApprovalRecord, 'status' | 'chosen_option' | 'edited_payload'>;

function isRepeat(context: Context, stored: AgentApprovalRecord, decision: Decision): boolean {
  return (
    stored.status === decision.status &&
    stored.decided_by?.type === context.actor.type &&
    stored.decided_by.id === context.actor.id &&
    stored.chosen_option === decision.chosen_option &&
    isSameJson(decision.edited_payload, stored.edited_payload)
  );
}

export const cancelApproval: Verb<typeof operations.agentApprovals.cancel> = async (context, input) => {
  // No event: nobody decided. The audit row names who withdrew the request, who may not be the requester.
  return transaction(context, { records: 'audit', lock: input.agent_approval_id }, async (tx) => {
    const approval = await findApproval(tx.em, context, input.agent_approval_id, true);
    await lockCompany(tx, context, approval.company_id);
    const now = context.clock.now();
    const before = toAgentApproval(approval, now);
    if (!approvalStates.moves(before.status, 'cancelled')) return before;
    approval.status = 'cancelled';
    approval.updated_at = now;
    await tx.em.flush();
    const after = toStoredApproval(approval);
    recordChange(tx, context, { action: 'agentApprovals.cancel', before, after });
    return after;
  });
};

const findExpired = systemStatement(
  'find_expired_agent_approvals',
  `SELECT id, account_id FROM agent_approval WHERE status = 'pending' AND expires_at <= $1 AND ${isNotMoving('agent_approval.account_id')}
   ORDER BY expires_at LIMIT $2`,
);

/** Expires overdue approvals, the oldest first. Returns their number; fewer than `limit` means no more are left. */
export async function expireAgentApprovals(core: Core, limit: number): Promise<number> {
  const rows = await core.database.query<{ id: string; account_id: string }>(findExpired, [
    core.clock.now().toISOString(),
    limit,
  ]);
  return forEachSettled(rows, ({ id, account_id }) => expire(core, id, account_id));
}

async function expire(core: Core, id: string, accountId: string): Promise<boolean> {
  const context = systemContext(core, accountId, 'agent_approvals_expire');
  return transaction(context, { records: 'audit and event', lock: id }, async (tx) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const approval = await tx.em.findOne(AgentApproval, { id, account_id: accountId, status: 'pending' }, { lockMode });
    if (!approval) return false;
    const before = toStoredApproval(approval);
    const now = context.clock.now();
    const at = approval.expires_at ?? now;
    // Reads have returned this state since then.
    tx.em.assign(approval, { status: 'expired', decided_at: at, decided_by: approvalActorOf(context), updated_at: at });
    await tx.em.flush();
    const after = toStoredApproval(approval);
    const event = { type: 'agent.approval.decided', data: after } as const;
    recordChange(tx, context, { action: 'agentApprovals.expire', before, after, event });
    return true;
  });
}

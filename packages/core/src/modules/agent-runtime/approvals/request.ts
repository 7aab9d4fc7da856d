import type { AgentApprovalDecision, operations } from '@finhook/contracts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { checkMoment, dayLimits, MAX_PLAN_DAYS_AHEAD } from '../../../time/calendar.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { insertRecord, pickGiven } from '../../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { lockAgentAt, rejectWhilePaused } from '../../agents/lock-agent-at.ts';
import { assertActionOf, caseOfAction } from '../actions/action.ts';
import { redactSecrets } from '../actions/redact-secrets.ts';
import { AgentApproval, decisionOfText, toStoredApproval } from './approval.ts';
import { approvalActorOf } from './approval-actor.ts';

type Op = typeof operations.agentApprovals.request;

export const requestApproval: Verb<Op> = async (context, input) => {
  const now = context.clock.now();
  const expiresAt = input.expires_at == null ? null : new Date(input.expires_at);
  if (expiresAt !== null && expiresAt <= now) {
    rejectFields([{ pointer: '/expires_at', code: 'date_out_of_range', message: 'must be in the future' }]);
  }
  if (expiresAt !== null) rejectFields([checkMoment('/expires_at', expiresAt, dayLimits(now, MAX_PLAN_DAYS_AHEAD))]);
  const options = decisionsOf(input);
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    const case_id = await caseOfAction(tx.em, input, input.action_id);
    rejectWhilePaused(await lockAgentAt(tx, context, { ...input, case_id }, { allowAnyCase: true }));
    await assertActionOf(tx.em, input, input.action_id);
    const fields = {
      ...pickGiven(input, ['agent_id', 'company_id', 'action_id', 'title', 'description', 'risk']),
      payload: redactSecrets(input.payload ?? null),
      options: [...options.keys()],
      option_decisions: [...options.values()],
      status: 'pending' as const,
      requested_by: approvalActorOf(context),
      requested_at: now,
      expires_at: expiresAt,
      edited_payload: null,
    };
    const after = toStoredApproval(await insertRecord(tx, context, AgentApproval, 'aap', fields, now));
    const event = { type: 'agent.approval.requested', data: after } as const;
    recordChange(tx, context, { action: 'agentApprovals.request', after, event });
    return after;
  });
};

function decisionsOf({ options }: InputOf<Op>): Map<string, AgentApprovalDecision> {
  const decisions = new Map<string, AgentApprovalDecision>();
  for (const [i, option] of (options ?? []).entries()) {
    const [label, decision] =
      typeof option === 'string' ? [option, decisionOfText(option)] : [option.label, option.decision];
    if ((decisions.get(label) ?? decision) !== decision) {
      const message = 'is offered twice, once to approve and once to deny';
      rejectFields([{ pointer: `/options/${i}`, code: 'already_exists', message }]);
    }
    decisions.set(label, decision);
  }
  return decisions;
}

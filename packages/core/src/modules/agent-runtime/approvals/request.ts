import { agentApproval, type operations } from '@finhook/contracts';
import { checkMoment, dayLimits } from '../../../kernel/calendar.ts';
import { rejectFields } from '../../../kernel/domain-error.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction } from '../../../kernel/transaction.ts';
import type { Verb } from '../../../kernel/verb.ts';
import { lockAgentAt, rejectWhilePaused } from '../../agents/lock-agent-at.ts';
import { assertActionOf, caseOfAction } from '../actions/action.ts';
import { redactSecrets } from '../actions/redact-secrets.ts';
import { AgentApproval } from './approval.ts';

/** Latest expiry of a request, in days from now; later dates are typos. */
const MAX_DAYS_AHEAD = 3660;

export const requestApproval: Verb<typeof operations.agentApprovals.request> = async (context, input) => {
  const now = context.clock.now();
  const expiresAt = input.expires_at == null ? null : new Date(input.expires_at);
  if (expiresAt !== null && expiresAt <= now) {
    rejectFields([{ pointer: '/expires_at', code: 'date_out_of_range', message: 'must be in the future' }]);
  }
  if (expiresAt !== null) rejectFields([checkMoment('/expires_at', expiresAt, dayLimits(now, MAX_DAYS_AHEAD))]);
  return transaction(context, async (tx) => {
    const { agent_id, company_id } = input;
    const case_id = await caseOfAction(tx.em, input, input.action_id);
    rejectWhilePaused(await lockAgentAt(tx, context, { ...input, case_id }, { byAnyCase: true }));
    await assertActionOf(tx.em, input, input.action_id);
    const approval = tx.em.create(AgentApproval, {
      id: context.newId('aap'),
      account_id: context.accountId,
      agent_id,
      company_id,
      action_id: input.action_id ?? null,
      title: input.title,
      description: input.description ?? null,
      payload: redactSecrets(input.payload ?? null),
      risk: input.risk ?? null,
      options: [...new Set(input.options ?? [])],
      status: 'pending',
      requested_by: context.actor,
      requested_at: now,
      expires_at: expiresAt,
      edited_payload: null,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    const after = record(agentApproval, approval);
    const event = { type: 'agent.approval.requested', data: after } as const;
    recordChange(tx, context, { action: 'agentApprovals.request', after, event });
    return after;
  });
};

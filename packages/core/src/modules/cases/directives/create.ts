import { directive as directiveSchema, type operations, parseInstant } from '@finhook/contracts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import { checkMoment, dayLimits } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import { insertRecord } from '../../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { assertCase, attachedAgents, notAttached } from '../../agents/lock-agent-at.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { Directive } from './directive.ts';

type Op = typeof operations.directives.create;

/** Latest due date of a directive, in days from now; later dates are typos. */
const MAX_DAYS_AHEAD = 3660;

export const createDirective: Verb<Op> = async (context, input) => {
  const dueAt = dueOf(input, context.clock.now());
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    await assertCase(tx, context, company.id, input.case_id);
    await assertAgent(tx, context, company.id, input.agent_id);
    const now = context.clock.now();
    const fields = {
      company_id: company.id,
      case_id: input.case_id ?? null,
      agent_id: input.agent_id ?? null,
      title: input.title,
      body: input.body ?? null,
      priority: input.priority ?? ('normal' as const),
      status: 'issued' as const,
      issued_by: context.actor,
      issued_at: now,
      due_at: dueAt,
    };
    const after = record(directiveSchema, await insertRecord(tx, context, Directive, 'dir', fields, now));
    recordChange(tx, context, {
      action: 'directives.create',
      after,
      event: { type: 'directive.issued', data: { ...after, previous_status: null, resumed: false } },
    });
    return after;
  });
};

function dueOf({ due_at }: InputOf<Op>, now: Date): Date | null {
  if (due_at == null) return null;
  const at = new Date(parseInstant(due_at) ?? Number.NaN);
  rejectFields([checkMoment('/due_at', at, dayLimits(now, MAX_DAYS_AHEAD))]);
  return at;
}

async function assertAgent(
  tx: UnitOfWork,
  context: Context,
  companyId: string,
  agentId: string | null | undefined,
): Promise<void> {
  if (agentId == null || (await attachedAgents(tx, context, companyId, [agentId])).has(agentId)) return;
  rejectFields([notAttached('/agent_id')]);
}

import {
  type Directive as DirectiveRecord,
  directive as directiveSchema,
  type operations,
  parseInstant,
} from '@finhook/contracts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import { checkMoment, dayLimits, MAX_PLAN_DAYS_AHEAD } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { columnsOf, insertRecord, pickGiven, recordEntity, recordFinder } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { type InputOf, listVerb, type Verb } from '../../../verbs/verb.ts';
import { assertCase, attachedAgents, notAttached } from '../../agents/lock-agent-at.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { findCompany } from '../../companies/read.ts';

const DirectiveSchema = recordEntity('Directive', 'directive', columnsOf(directiveSchema));

export class Directive extends DirectiveSchema.class {}
DirectiveSchema.setClass(Directive);

export const directiveStates = defineStates<DirectiveRecord['status']>('directive', {
  issued: ['suspended', 'resolved'],
  suspended: ['issued', 'resolved'],
  resolved: [],
});

export const createDirective: Verb<typeof operations.directives.create> = async (context, input) => {
  const dueAt = dueOf(input, context.clock.now());
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    await assertCase(tx, context, company.id, input.case_id);
    await assertAgent(tx, context, company.id, input.agent_id);
    const now = context.clock.now();
    const fields = {
      company_id: company.id,
      ...pickGiven(input, ['case_id', 'agent_id', 'title', 'body']),
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

function dueOf({ due_at }: InputOf<typeof operations.directives.create>, now: Date): Date | null {
  if (due_at == null) return null;
  const at = new Date(parseInstant(due_at) ?? Number.NaN);
  rejectFields([checkMoment('/due_at', at, dayLimits(now, MAX_PLAN_DAYS_AHEAD))]);
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

export const findDirective = recordFinder(Directive, 'directive');

export const getDirective: Verb<typeof operations.directives.get> = async (context, input) =>
  record(directiveSchema, await findDirective(context.database.em(), context, input.directive_id));

export const listDirectives = listVerb<typeof operations.directives.list, RowOf<typeof directiveSchema>>({
  table: 'directive',
  prefix: 'dir',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'priority', 'case_id', 'agent_id']);
    filters.whereContains(input.q, ['title', 'body']);
  },
  map: (row) => record(directiveSchema, row),
});

import { caseRecord, type operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { record } from '../../kernel/record.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { Case } from './case.entity.ts';
import { readPeople } from './case-people.ts';

type Op = typeof operations.cases.create;

/** Opens a case. It emits no event: cases are in the audit log, their comments in the feed. */
export async function createCase(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const people = await readPeople(tx, context, company.id, input);
    const now = context.clock.now();
    const opened = tx.em.create(Case, {
      id: context.newId('case'),
      account_id: context.accountId,
      company_id: company.id,
      title: input.title,
      description: input.description ?? null,
      status: 'open',
      priority: input.priority ?? 'normal',
      opened_by: context.actor,
      ...people,
      comment_count: 0,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    const after = record(caseRecord, opened);
    await recordChange(tx, context, { action: 'cases.create', after });
    return after;
  });
}

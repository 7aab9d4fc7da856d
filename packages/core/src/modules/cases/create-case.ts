import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { Case } from './case.entity.ts';
import { readPeople } from './case-people.ts';

type Op = typeof operations.cases.create;

/** Opens a case. The catalogue has no event for it: the audit log tells of cases, the feed of their comments. */
export async function createCase(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const people = await readPeople(tx, context, company.id, input);
    const now = context.clock.now();
    const opened = tx.em.create(Case, {
      id: context.newId('case'),
      accountId: context.accountId,
      companyId: company.id,
      title: input.title,
      description: input.description ?? null,
      status: 'open',
      priority: input.priority ?? 'normal',
      openedBy: context.actor,
      ...people,
      commentCount: 0,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.flush();
    const record = opened.toRecord();
    await audit(tx, context, {
      action: 'cases.create',
      companyId: company.id,
      resourceId: opened.id,
      after: record,
    });
    return record;
  });
}

import { caseRecord, type operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { record } from '../../kernel/record.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { findCase } from './case.ts';

type Op = typeof operations.cases.escalate;

export async function escalateCase(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.case_id }, async (tx) => {
    const found = await findCase(tx.em, context, input.case_id);
    await lockCompany(tx, context, found.company_id);
    const before = record(caseRecord, found);
    if (found.priority === 'urgent') return before;
    found.priority = 'urgent';
    found.updated_at = context.clock.now();
    await tx.em.flush();
    const after = record(caseRecord, found);
    await recordChange(tx, context, {
      action: 'cases.escalate',
      before,
      after,
      event: { type: 'case.escalated', data: after },
    });
    return after;
  });
}

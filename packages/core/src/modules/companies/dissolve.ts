import { company as companySchema, type operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { record } from '../../verbs/record.ts';
import type { Verb } from '../../verbs/verb.ts';
import { companyStates } from './company.entity.ts';
import { readFormation } from './formation/steps.ts';
import { lockCompanyExclusively } from './lock-company.ts';

export const dissolveCompany: Verb<typeof operations.companies.dissolve> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.company_id }, async (tx) => {
    const company = await lockCompanyExclusively(tx, context, input.company_id);
    const formation = await readFormation(tx.em, company.id);
    const before = record(companySchema, company, { formation });
    if (!companyStates.moves(company.status, 'dissolved')) return before;
    const now = context.clock.now();
    company.status = 'dissolved';
    company.dissolved_at = now;
    company.dissolution_reason = input.reason ?? null;
    company.updated_at = now;
    await tx.em.flush();
    const after = record(companySchema, company, { formation });
    const data = { ...after, dissolved_at: now.toISOString(), dissolved_by: context.actor };
    const event = { type: 'company.dissolved', data } as const;
    recordChange(tx, context, { action: 'companies.dissolve', companyId: company.id, before, after, event });
    return after;
  });

import { company as companySchema, normalizeCurrency, type operations } from '@finhook/contracts';
import { changesBetween, keepSame, recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { record } from '../../verbs/record.ts';
import { assignGiven } from '../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { type Company, companyFields, companyStates } from './company.entity.ts';
import { checkTimeZone } from './create.ts';
import { readFormation } from './formation/steps.ts';
import { lockCompanyExclusively, lockCompanyForUpdate } from './lock-company.ts';

type Op = typeof operations.companies.update;

export const updateCompany: Verb<Op> = async (context, input) => {
  await checkTimeZone(context, input.timezone);
  return transaction(context, { records: 'audit and event', lock: input.company_id }, async (tx) => {
    const company = await lockCompanyForUpdate(tx, context, input.company_id);
    const formation = await readFormation(tx.em, company.id);
    const before = record(companySchema, company, { formation });
    const terms = company.wireTerms();
    applyChanges(company, input);
    company.keepPriorTerms(terms, context.personId);
    const changes = changesBetween(before, record(companySchema, company, { formation }));
    if (changes.changed.length === 0) return before;
    company.updated_at = context.clock.now();
    await tx.em.flush();
    const after = record(companySchema, company, { formation });
    const event = { type: 'company.updated', data: { ...after, ...changes } } as const;
    recordChange(tx, context, { action: 'companies.update', companyId: company.id, before, after, event });
    return after;
  });
};

function applyChanges(company: Company, input: InputOf<Op>): void {
  assignGiven(company, input, [...companyFields, 'country', 'timezone', 'wire_approval_threshold_cents']);
  if (input.base_currency !== undefined) company.base_currency = currencyOf(input.base_currency);
  if (input.metadata !== undefined) company.metadata = keepSame(company.metadata, input.metadata ?? {});
  if (input.status !== undefined && companyStates.moves(company.status, input.status)) company.status = input.status;
}

function currencyOf(code: string): string {
  return normalizeCurrency(code) ?? code;
}

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

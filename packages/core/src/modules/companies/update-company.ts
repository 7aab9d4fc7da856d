import { normalizeCurrency, type operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import { changesBetween, keepSame } from '../../kernel/changes.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { checkTimeZone } from './check-time-zone.ts';
import type { Company } from './company.entity.ts';
import { companyStates } from './company-states.ts';
import { readFormation } from './read-formation.ts';
import { takeCompany } from './take-company.ts';

type Op = typeof operations.companies.update;
type Input = InputOf<Op>;

/**
 * Changes a company's fields and emits `company.updated` with what changed. Rows that are stored stay as they are: a
 * new time zone or base currency moves none of them, and a new threshold touches no wire that was asked for before.
 */
export async function updateCompany(context: Context, input: Input): Promise<OutputOf<Op>> {
  await checkTimeZone(context, input.timezone);
  return transaction(context, { lock: input.company_id }, async (tx) => {
    const company = await takeCompany(tx, context, input.company_id);
    const formation = await readFormation(tx.em, company.id);
    const before = company.toRecord(formation);
    const terms = company.wireTerms();
    applyChanges(company, input);
    company.keepPriorTerms(terms, context.personId);
    const changes = changesBetween(before, company.toRecord(formation));
    if (changes.changed.length === 0) return before;
    company.updatedAt = context.clock.now();
    await tx.em.flush();
    const record = company.toRecord(formation);
    await audit(tx, context, {
      action: 'companies.update',
      companyId: company.id,
      resourceId: company.id,
      before,
      after: record,
    });
    await emit(tx, context, {
      type: 'company.updated',
      companyId: company.id,
      data: { ...record, ...changes },
    });
    return record;
  });
}

function applyChanges(company: Company, input: Input): void {
  if (input.name !== undefined) company.name = input.name;
  if (input.legal_name !== undefined) company.legalName = input.legal_name;
  if (input.entity_type !== undefined) company.entityType = input.entity_type;
  if (input.country !== undefined) company.country = input.country;
  if (input.jurisdiction !== undefined) company.jurisdiction = input.jurisdiction;
  if (input.tax_id_last4 !== undefined) company.taxIdLast4 = input.tax_id_last4;
  if (input.base_currency !== undefined) company.baseCurrency = currencyOf(input.base_currency);
  if (input.timezone !== undefined) company.timezone = input.timezone;
  if (input.fiscal_year_end !== undefined) company.fiscalYearEnd = input.fiscal_year_end;
  if (input.wire_approval_threshold_cents !== undefined) {
    company.wireApprovalThresholdCents = input.wire_approval_threshold_cents;
  }
  if (input.metadata !== undefined) company.metadata = keepSame(company.metadata, input.metadata ?? {});
  if (input.status !== undefined && companyStates.moves(company.status, input.status)) company.status = input.status;
}

function currencyOf(code: string): string {
  return normalizeCurrency(code) ?? code;
}

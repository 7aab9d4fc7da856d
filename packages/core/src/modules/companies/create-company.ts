import { normalizeCurrency, type operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from './company.entity.ts';

type Op = typeof operations.companies.create;

/** Minor units at or above which a wire waits for approval, where the company sets nothing else. */
const DEFAULT_WIRE_THRESHOLD = 1_000_000;

/** Creates an active company. */
export async function createCompany(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, {}, async (tx) => {
    const now = context.clock.now();
    const company = tx.em.create(Company, {
      id: context.newId('co'),
      accountId: context.accountId,
      name: input.name,
      legalName: input.legal_name ?? null,
      entityType: input.entity_type ?? null,
      country: input.country ?? 'US',
      jurisdiction: input.jurisdiction ?? null,
      taxIdLast4: input.tax_id_last4 ?? null,
      baseCurrency: normalizeCurrency(input.base_currency ?? 'USD') ?? 'USD',
      timezone: input.timezone ?? 'UTC',
      fiscalYearEnd: input.fiscal_year_end ?? null,
      status: 'active',
      wireApprovalThresholdCents: input.wire_approval_threshold_cents ?? DEFAULT_WIRE_THRESHOLD,
      metadata: input.metadata ?? {},
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.flush();
    const record = company.toRecord();
    await audit(tx, context, {
      action: 'companies.create',
      companyId: company.id,
      resourceId: company.id,
      after: record,
    });
    await emit(tx, context, {
      type: 'company.created',
      accountId: context.accountId,
      companyId: company.id,
      data: record,
    });
    return record;
  });
}

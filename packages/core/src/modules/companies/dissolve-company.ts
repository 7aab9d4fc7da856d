import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { companyStates } from './company-states.ts';
import { readFormation } from './read-formation.ts';
import { takeCompanyToEnd } from './take-company.ts';

type Op = typeof operations.companies.dissolve;

/**
 * Dissolves an active company and emits `company.dissolved`; dissolving it again changes nothing, not even the reason.
 * Writes that began before are stored first, later ones are refused with `company_dissolved`.
 */
export async function dissolveCompany(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.company_id }, async (tx) => {
    const company = await takeCompanyToEnd(tx, context, input.company_id);
    const formation = await readFormation(tx.em, company.id);
    const before = company.toRecord(formation);
    if (!companyStates.moves(company.status, 'dissolved')) return before;
    const now = context.clock.now();
    company.status = 'dissolved';
    company.dissolvedAt = now;
    company.dissolutionReason = input.reason ?? null;
    company.updatedAt = now;
    await tx.em.flush();
    const record = company.toRecord(formation);
    await audit(tx, context, {
      action: 'companies.dissolve',
      companyId: company.id,
      resourceId: company.id,
      before,
      after: record,
    });
    await emit(tx, context, {
      type: 'company.dissolved',
      companyId: company.id,
      data: { ...record, dissolved_at: now.toISOString(), dissolved_by: context.actor },
    });
    return record;
  });
}

import { company as companySchema, type operations } from '@finhook/contracts';
import { assertCompanyAccess, filterByCompanyAccess } from '../../access/access.ts';
import type { Context } from '../../verbs/context.ts';
import { companyNotFound } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { Company } from './company.entity.ts';
import { findSteps, formationOf, readFormation } from './formation/steps.ts';

export async function findCompany(context: Context, companyId: string): Promise<Company> {
  assertCompanyAccess(context, companyId);
  const company = await context.database.em().findOne(Company, { id: companyId, account_id: context.accountId });
  if (!company) throw companyNotFound();
  return company;
}

export const getCompany: Verb<typeof operations.companies.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const formation = await readFormation(context.database.em(), company.id);
  return record(companySchema, company, { formation });
};

type Row = RowOf<typeof companySchema, 'wire_approval_threshold_cents', 'formation'>;

export const listCompanies = listVerb<typeof operations.companies.list, Row>({
  table: 'company',
  prefix: 'co',
  filters(filters, context, input) {
    filters.where(context.accountId, 'account_id = ?');
    filterByCompanyAccess(filters, context, 'id');
    filters.whereEqual(input, ['status']);
    filters.whereContains(input.q, ['name', 'legal_name']);
  },
  async mapPage(rows, _, context) {
    const ids = rows.map(({ id }) => id);
    const all = ids.length === 0 ? [] : await findSteps(context.database.em(), ids);
    const steps = Map.groupBy(all, ({ company_id }) => company_id);
    return rows.map((row) => record(companySchema, row, { formation: formationOf(steps.get(row.id) ?? []) }));
  },
});

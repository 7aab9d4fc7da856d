import { company as companySchema, type operations } from '@finhook/contracts';
import { assertCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { companyNotFound } from '../../kernel/domain-error.ts';
import { record } from '../../kernel/record.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from './company.entity.ts';
import { readFormation } from './formation/read-formation.ts';

type Op = typeof operations.companies.get;

export async function findCompany(context: Context, companyId: string): Promise<Company> {
  assertCompanyAccess(context, companyId);
  const company = await context.database.em().findOne(Company, { id: companyId, account_id: context.accountId });
  if (!company) throw companyNotFound();
  return company;
}

export async function getCompany(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const formation = await readFormation(context.database.em(), company.id);
  return record(companySchema, company, { formation });
}

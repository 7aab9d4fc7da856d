import { caseRecord, type operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { assertAccessible } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { type RowOf, record } from '../../kernel/record.ts';
import { type InputOf, listVerb, type OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get.ts';
import { Case } from './case.entity.ts';

type GetOp = typeof operations.cases.get;

export async function findCase(em: EntityManager, context: Context, id: string): Promise<Case> {
  return assertAccessible(context, await em.findOne(Case, { id, account_id: context.accountId }), 'case');
}

export async function getCase(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return record(caseRecord, await findCase(context.database.em(), context, input.case_id));
}

export const listCases = listVerb<typeof operations.cases.list, RowOf<typeof caseRecord>>({
  table: 'case_file',
  prefix: 'case',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'priority']);
    filters.whereContains(input.q, ['title', 'description']);
  },
  map: (row) => record(caseRecord, row),
});

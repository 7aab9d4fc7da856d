import type { operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { reachable } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { Case } from './case.entity.ts';

type GetOp = typeof operations.cases.get;
type ListOp = typeof operations.cases.list;

/** The case, if it belongs to the caller's account and reach. */
export async function findCase(em: EntityManager, context: Context, caseId: string): Promise<Case> {
  return reachable(context, await em.findOne(Case, { id: caseId, accountId: context.accountId }), 'case');
}

/** Reads a case. */
export async function getCase(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findCase(context.database.em(), context, input.case_id)).toRecord();
}

/** Lists the cases of a company, newest first; `q` looks into title and description. */
export async function listCases(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const company = await findCompany(context, input.company_id);
  const em = context.database.em();
  const filters = new Filters();
  filters.when(company.id, 'company_id = ?');
  filters.when(input.status, 'status = ?');
  filters.when(input.priority, 'priority = ?');
  filters.when(input.q === undefined ? undefined : likePattern(input.q), '(title ILIKE ? OR description ILIKE ?)');
  filters.whenTimes(input);
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'case_file',
    filters,
    sort: [byId('case')],
    page: input,
    toItem: (row) => em.map(Case, row).toRecord(),
  });
}

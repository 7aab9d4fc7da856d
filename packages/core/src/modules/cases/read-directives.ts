import type { operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { reachable } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { Directive } from './directive.entity.ts';

type GetOp = typeof operations.directives.get;
type ListOp = typeof operations.directives.list;

/** The directive, if it belongs to the caller's account and reach. */
export async function findDirective(em: EntityManager, context: Context, directiveId: string): Promise<Directive> {
  return reachable(
    context,
    await em.findOne(Directive, { id: directiveId, accountId: context.accountId }),
    'directive',
  );
}

/** Reads a directive. */
export async function getDirective(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findDirective(context.database.em(), context, input.directive_id)).toRecord();
}

/** Lists the directives of a company, newest first; `q` looks into title and body. */
export async function listDirectives(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const company = await findCompany(context, input.company_id);
  const em = context.database.em();
  const filters = new Filters();
  filters.when(company.id, 'company_id = ?');
  filters.when(input.status, 'status = ?');
  filters.when(input.priority, 'priority = ?');
  filters.when(input.case_id, 'case_id = ?');
  filters.when(input.agent_id, 'agent_id = ?');
  filters.when(input.q === undefined ? undefined : likePattern(input.q), '(title ILIKE ? OR body ILIKE ?)');
  filters.whenTimes(input);
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'directive',
    filters,
    sort: [byId('dir')],
    page: input,
    toItem: (row) => em.map(Directive, row).toRecord(),
  });
}

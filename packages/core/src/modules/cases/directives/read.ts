import { directive, type operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { assertAccessible } from '../../../kernel/access.ts';
import type { Context } from '../../../kernel/context.ts';
import { type RowOf, record } from '../../../kernel/record.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { findCompany } from '../../companies/get.ts';
import { Directive } from './directive.entity.ts';

type GetOp = typeof operations.directives.get;

export async function findDirective(em: EntityManager, context: Context, id: string): Promise<Directive> {
  return assertAccessible(context, await em.findOne(Directive, { id, account_id: context.accountId }), 'directive');
}

export async function getDirective(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return record(directive, await findDirective(context.database.em(), context, input.directive_id));
}

export const listDirectives = listVerb<typeof operations.directives.list, RowOf<typeof directive>>({
  table: 'directive',
  prefix: 'dir',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'priority', 'case_id', 'agent_id']);
    filters.whereContains(input.q, ['title', 'body']);
  },
  map: (row) => record(directive, row),
});

import type { operations } from '@finhook/contracts';
import { filterByReach } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from './company.entity.ts';

type Op = typeof operations.companies.list;

/** Lists the account's companies, newest first. */
export async function listCompanies(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const em = context.database.em();
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filterByReach(filters, context, 'id');
  filters.when(input.status, 'status = ?');
  filters.when(input.q === undefined ? undefined : likePattern(input.q), '(name ILIKE ? OR legal_name ILIKE ?)');
  filters.whenInstant(input.created_from, 'created_at >= ?');
  filters.whenInstant(input.created_to, 'created_at < ?');
  filters.whenInstant(input.updated_since, 'updated_at >= ?');
  return readPage<{ id: string }, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'company',
    filters,
    sort: [{ sql: 'id', cast: 'text', read: (row) => row.id }],
    page: input,
    toItem: (row) => em.map(Company, row).toRecord(),
  });
}

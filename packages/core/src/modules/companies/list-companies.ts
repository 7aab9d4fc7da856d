import type { operations } from '@finhook/contracts';
import { filterByReach } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from './company.entity.ts';
import { findSteps, formationOf } from './read-formation.ts';

type Op = typeof operations.companies.list;

/** Lists the account's companies, newest first. */
export async function listCompanies(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const em = context.database.em();
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filterByReach(filters, context, 'id');
  filters.when(input.status, 'status = ?');
  filters.when(input.q === undefined ? undefined : likePattern(input.q), '(name ILIKE ? OR legal_name ILIKE ?)');
  filters.whenTimes(input);
  const page = await readPage<{ id: string }, Company>({
    query: context.database.query,
    select: '*',
    from: 'company',
    filters,
    sort: [byId('co')],
    page: input,
    toItem: (row) => em.map(Company, row),
  });
  const ids = page.data.map(({ id }) => id);
  const steps = Map.groupBy(ids.length === 0 ? [] : await findSteps(em, ids), ({ companyId }) => companyId);
  return { ...page, data: page.data.map((company) => company.toRecord(formationOf(steps.get(company.id) ?? []))) };
}

import { company, type operations } from '@finhook/contracts';
import { filterByCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import { type RowOf, record } from '../../kernel/record.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findSteps, formationOf } from './formation/read-formation.ts';

type Op = typeof operations.companies.list;
type Row = RowOf<typeof company, 'wire_approval_threshold_cents', 'formation'>;

export async function listCompanies(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const filters = new Filters();
  filters.where(context.accountId, 'account_id = ?');
  filterByCompanyAccess(filters, context, 'id');
  filters.whereEqual(input, ['status']);
  filters.whereContains(input.q, ['name', 'legal_name']);
  filters.whereTimes(input);
  const page = await readPage<Row, Row>({
    query: context.database.query,
    select: '*',
    from: 'company',
    filters,
    sort: [byId('co')],
    page: input,
    toItem: (row) => row,
  });
  const ids = page.data.map(({ id }) => id);
  const all = ids.length === 0 ? [] : await findSteps(context.database.em(), ids);
  const steps = Map.groupBy(all, ({ company_id }) => company_id);
  const toItem = (row: Row) => record(company, row, { formation: formationOf(steps.get(row.id) ?? []) });
  return { ...page, data: page.data.map(toItem) };
}

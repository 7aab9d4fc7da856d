import type { operations } from '@finhook/contracts';
import { dateInZone } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { Filing } from './filing.entity.ts';

type Op = typeof operations.filings.list;

/** Lists a company's filings, latest due date first. `due_from` and `due_to` are inclusive. */
export async function listFilings(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const today = dateInZone(context.clock.now(), company.timezone);
  const em = context.database.em();
  const filters = new Filters();
  filters.when(company.id, 'company_id = ?');
  filters.when(input.status, 'status = ?');
  filters.when(input.type, 'type = ?');
  filters.when(input.due_from, 'due_date >= ?');
  filters.when(input.due_to, 'due_date <= ?');
  if (input.overdue !== undefined) {
    filters.add(`(status = 'open' AND due_date < ${filters.bind(today)}::date) = ${input.overdue}`);
  }
  filters.whenTimes(input);
  return readPage<{ id: string; due_date: string }, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'filing',
    filters,
    sort: [{ sql: 'due_date', cast: 'date', read: (row) => row.due_date }, byId('fil')],
    page: input,
    toItem: (row) => em.map(Filing, row).toRecord(today),
  });
}

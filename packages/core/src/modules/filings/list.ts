import type { operations } from '@finhook/contracts';
import { dateInZone } from '../../kernel/calendar.ts';
import { byId } from '../../kernel/keyset.ts';
import { listVerb } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get.ts';
import { type FilingRow, toFiling } from './filing.entity.ts';

export const listFilings = listVerb<typeof operations.filings.list, FilingRow, string>({
  table: 'filing',
  prefix: 'fil',
  sort: [{ sql: 'due_date', cast: 'date', read: (row) => row.due_date }, byId('fil')],
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    const today = dateInZone(context.clock.now(), company.timezone);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'type']);
    filters.where(input.due_from, 'due_date >= ?');
    filters.where(input.due_to, 'due_date <= ?');
    if (input.overdue !== undefined) {
      filters.add(`(status = 'open' AND due_date < ${filters.bind(today)}::date) = ${input.overdue}`);
    }
    return today;
  },
  map: toFiling,
});

import { normalizeCurrency, type operations } from '@finhook/contracts';
import { addDays, dateInZone } from '../../kernel/clock.ts';
import { storedConnection } from '../../kernel/connection-id.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type BalanceRow, toBalance } from './balance-record.ts';

type Op = typeof operations.cash.balances.list;

/** Lists a company's balances, newest day first. */
export async function listCashBalances(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const filters = new Filters();
  filters.where(company.id, 'b.company_id = ?');
  filters.where(input.as_of_from, 'b.as_of >= ?');
  filters.where(input.as_of_to, 'b.as_of <= ?');
  filters.where(storedConnection(input.connection_id), 'b.connection_id = ?');
  filters.where(input.source, 'b.source = ?');
  filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 'b.currency = ?');
  filters.where(input.min_balance_cents, 'b.balance_cents >= ?');
  filters.where(input.max_balance_cents, 'b.balance_cents <= ?');
  filters.whereTimes(input, 'b.');
  if (input.latest) {
    const until = addDays(dateInZone(context.clock.now(), company.timezone), 1);
    filters.where(until, 'b.as_of <= ?');
    filters.where(
      until,
      `NOT EXISTS (SELECT FROM cash_balance n WHERE n.company_id = b.company_id
         AND n.connection_id = b.connection_id AND n.as_of > b.as_of AND n.as_of <= ?)`,
    );
  }
  return readPage<BalanceRow, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: 'b.*',
    from: 'cash_balance b',
    filters,
    sort: [{ sql: 'b.as_of', cast: 'date', read: (row) => row.as_of }, byId('bal', 'b.id')],
    page: input,
    toItem: toBalance,
  });
}

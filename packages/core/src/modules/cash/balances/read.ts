import { cashBalance, normalizeCurrency, type operations } from '@finhook/contracts';
import { storedConnection } from '../../../ids/connection-id.ts';
import { byId } from '../../../lists/keyset.ts';
import { addDays, dateInZone } from '../../../time/calendar.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';

type ListOp = typeof operations.cash.balances.list;

/** `connection_id` is empty if the row names none. */
type BalanceRow = RowOf<typeof cashBalance, 'balance_cents'>;

function toBalance(row: BalanceRow) {
  return record(cashBalance, row, { connection_id: row.connection_id || null });
}

export const getCashBalance: Verb<typeof operations.cash.balances.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<BalanceRow>(
    'SELECT * FROM cash_balance WHERE id = $1 AND company_id = $2',
    [input.balance_id, company.id],
  );
  if (!row) throw notFound('cash balance');
  return toBalance(row);
};

export const listCashBalances = listVerb<ListOp, BalanceRow>({
  table: 'cash_balance b',
  prefix: 'bal',
  select: 'b.*',
  sort: [{ sql: 'b.as_of', cast: 'date', read: (row) => row.as_of }, byId('bal', 'b.id')],
  times: 'b.',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'b.company_id = ?');
    filters.where(input.as_of_from, 'b.as_of >= ?');
    filters.where(input.as_of_to, 'b.as_of <= ?');
    filters.where(storedConnection(input.connection_id), 'b.connection_id = ?');
    filters.whereEqual(input, ['source'], 'b.');
    filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 'b.currency = ?');
    filters.where(input.min_balance_cents, 'b.balance_cents >= ?');
    filters.where(input.max_balance_cents, 'b.balance_cents <= ?');
    if (!input.latest) return;
    const tomorrow = addDays(dateInZone(context.clock.now(), company.timezone), 1);
    const { as_of_to: last = tomorrow } = input;
    const until = last < tomorrow ? last : tomorrow;
    filters.where(until, 'b.as_of <= ?');
    filters.where(
      until,
      `NOT EXISTS (SELECT FROM cash_balance n WHERE n.company_id = b.company_id
         AND n.connection_id = b.connection_id AND n.as_of > b.as_of AND n.as_of <= ?)`,
    );
  },
  map: toBalance,
});

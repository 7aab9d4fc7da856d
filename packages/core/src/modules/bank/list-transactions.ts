import { normalizeCurrency, type operations } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';
import { storedConnection } from '../../kernel/connection-id.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type TransactionRow, toTransaction } from './transaction-record.ts';

type Op = typeof operations.bank.transactions.list;

/** Lists a company's transactions, latest posting first. */
export async function listTransactions(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const filters = new Filters();
  filters.where(company.id, 't.company_id = ?');
  filters.whereInstant(input.posted_from, 't.posted_at >= ?');
  filters.whereInstant(input.posted_to, 't.posted_at < ?');
  filters.whereInstant(input.created_from, 't.created_at >= ?');
  filters.whereInstant(input.created_to, 't.created_at < ?');
  // Rows are never changed: what came since then is what was made since then.
  filters.whereInstant(input.updated_since, 't.created_at >= ?');
  filters.where(storedConnection(input.connection_id), 't.connection_id = ?');
  filters.where(input.external_id, 't.external_id = ?');
  filters.where(input.source, 't.source = ?');
  filters.where(input.category, 't.category = ?');
  filters.where(input.counterparty, 't.counterparty = ?');
  filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 't.currency = ?');
  filters.where(input.min_amount_cents, 't.amount_cents >= ?');
  filters.where(input.max_amount_cents, 't.amount_cents <= ?');
  if (input.direction) filters.add(input.direction === 'in' ? 't.amount_cents > 0' : 't.amount_cents < 0');
  filters.where(
    input.q === undefined ? undefined : likePattern(input.q),
    '(t.description ILIKE ? OR t.counterparty ILIKE ? OR t.external_id ILIKE ?)',
  );
  return readPage<TransactionRow, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: 't.*',
    from: 'bank_transaction t',
    filters,
    sort: [{ sql: 't.posted_at', cast: 'timestamptz', read: (row) => toTimestamp(row.posted_at) }, byId('txn', 't.id')],
    page: input,
    toItem: toTransaction,
  });
}

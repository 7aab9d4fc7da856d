import {
  type BankTransactionRow,
  bankTransaction,
  bankTransactionRow,
  normalizeCurrency,
  type operations,
} from '@finhook/contracts';
import { storedConnection } from '../../../ids/connection-id.ts';
import { byId } from '../../../lists/keyset.ts';
import { toTimestamp } from '../../../time/clock.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import type { ListOptions, Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';

const stored = bankTransaction.omit({ counted_as: true });

/** `connection_id` is empty if the row names none, and `updated_at` is null until the first change. */
export type TransactionRow = RowOf<typeof stored, 'amount_cents', 'updated_at'> & {
  updated_at: string | null;
};

export function toTransaction(row: TransactionRow) {
  return record(stored, row, wireFields(row));
}

export function toEventRow(row: TransactionRow): BankTransactionRow {
  return record(bankTransactionRow, row, wireFields(row));
}

function wireFields(row: TransactionRow): Pick<BankTransactionRow, 'connection_id' | 'updated_at'> {
  return { connection_id: row.connection_id || null, updated_at: toTimestamp(row.updated_at ?? row.created_at) };
}

export const getTransaction: Verb<typeof operations.bank.transactions.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<TransactionRow>(
    'SELECT * FROM bank_transaction WHERE id = $1 AND company_id = $2',
    [input.transaction_id, company.id],
  );
  if (!row) throw notFound('bank transaction');
  return toTransaction(row);
};

/** The list without `counted_as`, which the figures add. */
export const transactionList: ListOptions<typeof operations.bank.transactions.list, TransactionRow, void> & {
  table: string;
} = {
  table: 'bank_transaction t',
  prefix: 'txn',
  select: 't.*',
  sort: [{ sql: 't.posted_at', cast: 'timestamptz', read: (row) => toTimestamp(row.posted_at) }, byId('txn', 't.id')],
  times: false,
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 't.company_id = ?');
    filters.whereInstant(input.posted_from, 't.posted_at >= ?');
    filters.whereInstant(input.posted_to, 't.posted_at < ?');
    filters.whereTimes({ ...input, updated_since: undefined }, 't.');
    // `updated_at` is null until the first change.
    filters.whereInstant(input.updated_since, '(t.created_at >= ? OR t.updated_at >= ?)');
    filters.where(storedConnection(input.connection_id), 't.connection_id = ?');
    filters.whereEqual(input, ['external_id', 'source', 'category', 'counterparty'], 't.');
    filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 't.currency = ?');
    filters.where(input.min_amount_cents, 't.amount_cents >= ?');
    filters.where(input.max_amount_cents, 't.amount_cents <= ?');
    if (input.direction) filters.add(input.direction === 'in' ? 't.amount_cents > 0' : 't.amount_cents < 0');
    filters.whereContains(input.q, ['t.description', 't.counterparty', 't.external_id']);
  },
  map: toTransaction,
};

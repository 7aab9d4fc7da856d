import {
  type BankTransactionRow,
  bankTransaction,
  bankTransactionRow,
  normalizeCurrency,
  type operations,
} from '@finhook/contracts';
import { storedConnection } from '../../../ids/connection-id.ts';
import { byId, type Filters } from '../../../lists/keyset.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import type { ListInput, Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';
import { shownRuleCategorySql } from './rule-sql.ts';

const stored = bankTransaction.omit({ counted_as: true });

type CategoryFields = Pick<BankTransactionRow, 'category' | 'posted_category' | 'category_reason'>;

/**
 * `connection_id` is empty if the row names none, and `updated_at` is null until the first change. `category` is the posted
 * one, `own_category` that of a person, and `rule_category` that of the rules (`shownRuleCategorySql`).
 */
export type TransactionRow = RowOf<
  typeof stored,
  'amount_cents',
  'updated_at' | 'posted_category' | 'category_reason'
> & {
  own_category: string | null;
  rule_category: string | null;
  updated_at: string | null;
};

export function toTransaction(row: TransactionRow) {
  return record(stored, row, wireFields(row));
}

export function toEventRow(row: TransactionRow): BankTransactionRow {
  return record(bankTransactionRow, row, wireFields(row));
}

function wireFields(row: TransactionRow): CategoryFields & Pick<BankTransactionRow, 'connection_id' | 'updated_at'> {
  return {
    ...categoryFields(row),
    connection_id: row.connection_id || null,
    updated_at: toTimestamp(row.updated_at ?? row.created_at),
  };
}

export function categoryFields({
  category: posted_category,
  own_category,
  rule_category,
}: Pick<TransactionRow, 'category' | 'own_category' | 'rule_category'>): CategoryFields {
  if (own_category !== null) return { category: own_category, posted_category, category_reason: 'person' };
  if (rule_category !== null) return { category: rule_category, posted_category, category_reason: 'rule' };
  return { category: posted_category, posted_category, category_reason: posted_category === null ? null : 'posted' };
}

export const getTransaction: Verb<typeof operations.bank.transactions.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<TransactionRow>(
    `SELECT t.*, ${shownRuleCategorySql('t', '$2')} AS rule_category FROM bank_transaction t
     WHERE t.id = $1 AND t.company_id = $2`,
    [input.transaction_id, company.id],
  );
  if (!row) throw notFound('bank transaction');
  return toTransaction(row);
};

export type TransactionSelection = ListInput<typeof operations.bank.transactions.list>;

const sorts = {
  posted_at: {
    sql: 't.posted_at',
    cast: 'timestamptz',
    read: (row: TransactionRow) => toTimestamp(row.posted_at),
    pattern: /^\d{4}-/,
  },
  amount_cents: {
    sql: 't.amount_cents',
    cast: 'bigint',
    read: (row: TransactionRow) => row.amount_cents,
    pattern: /^-?\d+$/,
  },
};

/** The list without `counted_as` and `rule_category`, which the figures add. */
export const transactionList = {
  table: 'bank_transaction t',
  prefix: 'txn',
  sort: ({ sort = 'posted_at' }: TransactionSelection) => [sorts[sort], byId('txn', 't.id')],
  times: false,
  /** Adds the conditions of all filters but the categories, `month` and `counted_as`; returns the company's placeholder. */
  async filters(filters: Filters, context: Context, input: TransactionSelection): Promise<string> {
    const company = await findCompany(context, input.company_id);
    const companyId = filters.bind(company.id);
    filters.add(`t.company_id = ${companyId}`);
    filters.whereInstant(input.posted_from, 't.posted_at >= ?');
    filters.whereInstant(input.posted_to, 't.posted_at < ?');
    filters.whereTimes({ ...input, updated_since: undefined }, 't.');
    // `updated_at` is null until the first change.
    filters.whereInstant(input.updated_since, '(t.created_at >= ? OR t.updated_at >= ?)');
    filters.where(storedConnection(input.connection_id), 't.connection_id = ?');
    filters.where(input.connection_ids?.map(storedConnection), 't.connection_id = ANY (?)');
    filters.whereEqual(input, ['external_id', 'source', 'counterparty'], 't.');
    filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 't.currency = ?');
    filters.where(input.min_amount_cents, 't.amount_cents >= ?');
    filters.where(input.max_amount_cents, 't.amount_cents <= ?');
    if (input.direction) filters.add(input.direction === 'in' ? 't.amount_cents > 0' : 't.amount_cents < 0');
    filters.whereContains(input.q, ['t.description', 't.counterparty', 't.external_id']);
    return companyId;
  },
} as const;

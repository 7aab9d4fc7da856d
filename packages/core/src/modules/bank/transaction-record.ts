import type { BankTransaction, BankTransactionRow } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';

/** A row of `bank_transaction` as PostgreSQL returns it. */
export interface TransactionRow {
  id: string;
  account_id: string;
  company_id: string;
  connection_id: string;
  external_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  currency_inferred: boolean;
  description: string;
  category: string | null;
  counterparty: string | null;
  source: string;
  created_at: string;
}

function toRow(row: TransactionRow): BankTransactionRow {
  return {
    id: row.id,
    external_id: row.external_id,
    posted_at: toTimestamp(row.posted_at),
    amount_cents: Number(row.amount_cents),
    currency: row.currency,
    currency_inferred: row.currency_inferred,
    description: row.description,
    category: row.category,
    counterparty: row.counterparty,
    connection_id: row.connection_id || null,
    source: row.source,
    created_at: toTimestamp(row.created_at),
  };
}

export function toTransaction(row: TransactionRow): BankTransaction {
  return {
    ...toRow(row),
    object: 'bank_transaction',
    account_id: row.account_id,
    company_id: row.company_id,
  };
}

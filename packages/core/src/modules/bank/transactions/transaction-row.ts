import { type BankTransactionRow, bankTransaction, bankTransactionRow } from '@finhook/contracts';
import { toTimestamp } from '../../../time/clock.ts';
import { type RowOf, record } from '../../../verbs/record.ts';

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

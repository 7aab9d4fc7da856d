import type { BankTransactionRow } from '@finhook/contracts';
import { type ArrayColumn, bigintColumn, textColumn, timestamptzColumn } from '../../../db/binary-array.ts';

/** `currency` and `source` are null if they are not compared. */
export type RowContent = Omit<BankTransactionRow, 'id' | 'currency' | 'currency_inferred' | 'source' | 'created_at'> & {
  currency: string | null;
  source: string | null;
};

export const contentColumns: readonly ArrayColumn<RowContent>[] = [
  textColumn('connection_id', (row) => row.connection_id ?? ''),
  textColumn('external_id', (row) => row.external_id),
  timestamptzColumn('posted_at', (row) => Date.parse(row.posted_at)),
  bigintColumn('amount_cents', (row) => row.amount_cents),
  textColumn('description', (row) => row.description),
  textColumn('category', (row) => row.category),
  textColumn('counterparty', (row) => row.counterparty),
  textColumn('currency', (row) => row.currency),
  textColumn('source', (row) => row.source),
];

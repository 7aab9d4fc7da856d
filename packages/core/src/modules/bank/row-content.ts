import type { BankTransactionRow } from '@finhook/contracts';
import { bigintArray, textArray, timestamptzArray } from '../../kernel/binary-array.ts';

/** What a row says: its key and its content. `currency` and `source` are null where they are not to be compared. */
export type RowContent = Omit<BankTransactionRow, 'id' | 'currency' | 'currency_inferred' | 'source' | 'created_at'> & {
  currency: string | null;
  source: string | null;
};

/** Columns of `bank_transaction` that hold a row's content, in the order of `contentArrays`. */
export const contentColumns =
  'connection_id, external_id, posted_at, amount_cents, description, category, counterparty, currency, source';

const types = 'text text timestamptz bigint text text text text text'.split(' ');

/** SQL: the parameters of `contentArrays`, typed, from the number `first`. */
export function contentTypes(first: number): string {
  return types.map((type, i) => `$${first + i}::${type}[]`).join(', ');
}

/** Parameters that hold the rows column by column. */
export function contentArrays(rows: readonly RowContent[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.connection_id ?? '')),
    textArray(rows.map((row) => row.external_id)),
    timestamptzArray(rows.map((row) => Date.parse(row.posted_at))),
    bigintArray(rows.map((row) => row.amount_cents)),
    textArray(rows.map((row) => row.description)),
    textArray(rows.map((row) => row.category)),
    textArray(rows.map((row) => row.counterparty)),
    textArray(rows.map((row) => row.currency)),
    textArray(rows.map((row) => row.source)),
  ];
}

/** All filter names: the URL keeps these, and "Clear filters" clears them. */
export const transactionFilterNames = [
  'q',
  'posted_from',
  'posted_to',
  'direction',
  'month',
  'counted_as',
  'category',
  'counterparty',
  'connection_id',
  'currency',
  'min',
  'max',
  'source',
  'external_id',
  'order',
] as const;

export type TransactionSearch = { [Name in (typeof transactionFilterNames)[number]]?: string };

/** The names of all filters: what the address keeps, and what "Clear filters" clears. */
export const transactionFilterNames = [
  'q',
  'posted_from',
  'posted_to',
  'direction',
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

/** The filters of the page as they stand in the address. */
export type TransactionSearch = { [Name in (typeof transactionFilterNames)[number]]?: string };

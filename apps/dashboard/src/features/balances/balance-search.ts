/** The names of all filters: what the address keeps, and what "Clear filters" clears. */
export const balanceFilterNames = [
  'as_of_from',
  'as_of_to',
  'connection_id',
  'source',
  'currency',
  'min',
  'max',
  'latest',
] as const;

/** The filters of the page as they stand in the address. */
export type BalanceSearch = { [Name in (typeof balanceFilterNames)[number]]?: string };

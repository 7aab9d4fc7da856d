/** All filter names: the URL keeps these, and "Clear filters" clears them. */
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

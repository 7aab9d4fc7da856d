/** All filters of the log in the user's terms: the URL keeps these, and "Clear filters" clears them. */
export const logFilterNames = [
  'type',
  'actor_type',
  'actor_id',
  'action',
  'log_company',
  'resource_id',
  'from',
  'to',
] as const;

export type LogSearch = { [Name in (typeof logFilterNames)[number] | 'open']?: string };

/** All filters of the log in words that people choose: what the address keeps, and what "Clear filters" clears. */
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

/** The address of the log: its filters, and the row that is open. */
export type LogSearch = { [Name in (typeof logFilterNames)[number] | 'open']?: string };

export const transactionFilterNames = [
  'q',
  'posted_from',
  'posted_to',
  'direction',
  'month',
  'month_to',
  'counted_as',
  'counts',
  'category',
  'category_key',
  'counterparty',
  'counterparty_key',
  'connection_id',
  'currency',
  'min',
  'max',
  'source',
  'external_id',
  'order',
  'sort',
] as const;

export type TransactionSearch = { [Name in (typeof transactionFilterNames)[number]]?: string };

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

export const requestFilterNames = ['outcome', 'operation', 'code', 'key_id', 'from', 'to'] as const;

export const deliveryFilterNames = [
  'id',
  'status',
  'response_code',
  'event_type',
  'endpoint_id',
  'event_company',
  'range',
  'from',
  'to',
] as const;
export const spendingNames = ['period', 'from', 'to', 'compare', 'currency', 'account', 'by', 'sort', 'dir'] as const;

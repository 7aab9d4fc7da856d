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

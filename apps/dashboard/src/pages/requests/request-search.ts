export const requestFilterNames = ['outcome', 'operation', 'code', 'key_id', 'from', 'to'] as const;

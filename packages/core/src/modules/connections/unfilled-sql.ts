import { providers } from './providers/index.ts';

const pulled = [...providers.keys()].map((name) => `'${name}'`).join(', ');

/**
 * SQL: whether the rows of connection `k` come by sync and no sync has come to the provider's end yet, so that any part of
 * its history may be missing. A run that only had rows refused did come there. A value instead of NOT EXISTS, which may
 * be planned as a hash of all runs.
 */
export const unfilledSql = (k: string): string => `
  (${k}.provider IN (${pulled}) AND ${k}.backfill_status <> 'complete'
   AND (SELECT s.id FROM sync_run s
        WHERE s.connection_id = ${k}.id AND s.error ->> 'code' = 'rows_refused' LIMIT 1) IS NULL)`;

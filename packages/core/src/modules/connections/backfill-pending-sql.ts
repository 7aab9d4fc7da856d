import { providers } from './providers/index.ts';

const pulled = [...providers.keys()].map((name) => `'${name}'`).join(', ');

/** SQL: whether the rows of connection `k` come by sync, and any part of its history may be missing yet. */
export const backfillPendingSql = (k: string): string =>
  `(${k}.provider IN (${pulled}) AND ${k}.backfill_status <> 'complete')`;

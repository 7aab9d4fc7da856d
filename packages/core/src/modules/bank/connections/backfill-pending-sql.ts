import { providers } from './providers/index.ts';

const pulled = [...providers.keys()].map((name) => `'${name}'`).join(', ');

/** SQL: true if connection `k` syncs and part of its history may still be missing. */
export const backfillPendingSql = (k: string): string =>
  `(${k}.provider IN (${pulled}) AND ${k}.backfill_status <> 'complete')`;

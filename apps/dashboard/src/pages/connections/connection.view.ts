import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type Connection = Outputs['bank']['connections']['get'];
export type SyncRun = Outputs['bank']['syncs']['get'];

const synced = new Set(['sandbox', 'http']);

const advice = new Map(
  Object.entries({
    provider_unauthorized: 'The bank rejected the token. Store a new one, then sync again.',
    provider_unavailable: 'The bank is unavailable or limits requests. Sync again later.',
    provider_answer_invalid: 'The response is not a page of balances and transactions. Check the URL.',
    provider_address_blocked: 'The URL leads to a private network, which is not allowed. Use a public URL.',
    rows_refused: 'Some rows were invalid and not stored. Correct them at the bank, then sync again.',
    interrupted: 'The sync was interrupted too often. Sync again.',
    connection_disconnected: 'The account was disconnected during the sync. Data stored before that is kept.',
    too_many_pages: 'The bank returned too many pages. Ask the bank for larger ones.',
  }),
);

export function adviceFor({ code }: { code: string }): string {
  return advice.get(code) ?? 'The sync failed. Sync again, and contact your administrator if the error persists.';
}

/** False for a bank that posts its own data. */
export function isSynced({ provider }: Pick<Connection, 'provider'>): boolean {
  return synced.has(provider);
}

export function whyNoSync({ status, provider, has_secret }: Connection): string | undefined {
  if (status === 'disconnected') return 'The account is disconnected. Reconnect it to receive data.';
  if (!isSynced({ provider })) return 'This bank sends its own data.';
  return has_secret ? undefined : 'Store the provider token to start syncing.';
}

export function describeStats({ stats }: Pick<SyncRun, 'stats'>): string {
  return [
    plural(stats.balances_upserted, 'balance'),
    plural(stats.transactions_inserted, 'new transaction'),
    plural(stats.transactions_skipped, 'duplicate'),
  ].join(', ');
}

import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type Connection = Outputs['bank']['connections']['get'];
export type SyncRun = Outputs['bank']['syncs']['get'];

const pulled = new Set(['sandbox', 'http']);

/** True if the service pulls from this provider; other providers push their rows. */
function isPulled({ provider }: Pick<Connection, 'provider'>): boolean {
  return pulled.has(provider);
}

const advice = new Map(
  Object.entries({
    provider_unauthorized: 'The bank refused the token. Store a new one, then sync again.',
    provider_unavailable:
      'The bank did not answer, or takes no more requests for now. Nothing is wrong here: sync again in a while.',
    provider_answer_invalid:
      'The bank answered something that is no page of balances and transactions. Check the address.',
    provider_address_blocked:
      'The address is not allowed: it leads into a private network. Connect one that is public.',
    rows_refused: 'Some rows were refused and not stored. Correct them at the bank’s side, then sync again.',
    interrupted: 'The sync was interrupted too often. Sync again.',
    connection_disconnected: 'The connection was disconnected while it synced. What was stored until then stays.',
    too_many_pages: 'The bank sends its rows in too many pages. Ask it to send larger ones.',
  }),
);

export function adviceFor({ code }: { code: string }): string {
  return advice.get(code) ?? 'The sync did not succeed. Sync again; if it stays so, ask whoever runs the service.';
}

export function whyNoSync(connection: Connection): string | undefined {
  if (connection.status === 'disconnected') return 'The connection is disconnected. Reconnect it to sync.';
  if (!isPulled(connection)) {
    return `The provider ${connection.provider} posts its balances and transactions itself; there is nothing to pull.`;
  }
  if (!connection.has_secret) return 'Store the provider’s token first.';
  return undefined;
}

/** `12 balances, 340 new transactions, 7 known ones`: the rows that a run has stored so far. */
export function describeStats({ stats }: Pick<SyncRun, 'stats'>): string {
  return [
    plural(stats.balances_upserted, 'balance'),
    plural(stats.transactions_inserted, 'new transaction'),
    plural(stats.transactions_skipped, 'known one'),
  ].join(', ');
}

import type { Core } from '../../kernel/context.ts';

const DAY_MS = 86_400_000;
/** A session ends a day after its last use at the latest; what has ended is kept for ninety. */
const KEPT_MS = 91 * DAY_MS;

/** Deletes sessions that ended ninety days ago, and links that have expired; returns how many. */
export async function purgeSessions(core: Core): Promise<number> {
  const now = core.clock.now();
  const old = new Date(now.getTime() - KEPT_MS).toISOString();
  const { query } = core.database;
  const sessions = await query('DELETE FROM session WHERE last_seen_at < $1 RETURNING id', [old]);
  const links = await query('DELETE FROM sign_in_link WHERE expires_at <= $1 RETURNING key_id', [now.toISOString()]);
  return sessions.length + links.length;
}

import { databaseErrorCode, isDatabaseUnavailable } from './database-error.ts';
import type { Queryable } from './queryable.ts';

const OLDEST = 17;

class ServerVersionError extends Error {
  override readonly name = 'ServerVersionError';
}

/** Reports the supported versions before a migration fails on an unknown feature. @throws ServerVersionError */
export async function assertServerVersion(database: Queryable): Promise<void> {
  const [server] = await database.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  if (server === undefined || server.number >= OLDEST * 10_000) return;
  throw new ServerVersionError(
    `The server of the database is PostgreSQL ${server.version}, and finhook needs ${OLDEST} or newer. Update it, or ` +
      'point DATABASE_URL at another. Nothing was changed.',
  );
}

/** The newest rows, found by their ids, whose transaction ids are among the highest. */
const LATEST = 100;

const lookUp = `
SELECT max(xid)::text AS newest, pg_snapshot_xmax(pg_current_snapshot())::text AS next
FROM (
  (SELECT feed_xid AS xid FROM event ORDER BY id DESC LIMIT ${LATEST}) UNION ALL
  (SELECT feed_xid FROM due ORDER BY delivery_id DESC LIMIT ${LATEST}) UNION ALL
  (SELECT xid FROM audit_log ORDER BY id DESC LIMIT ${LATEST})
) latest
HAVING max(xid) >= pg_snapshot_xmax(pg_current_snapshot())`;

const NOT_MIGRATED = new Set(['42P01', '42703', '22023']);

class RestoredIdsError extends Error {
  override readonly name = 'RestoredIdsError';
}

/**
 * Throws when the data was restored from a server with higher transaction ids: the feed, replays, ordered endpoints and
 * seals would stall silently until this server reaches them. Passes when the database is unavailable or empty. @throws
 * RestoredIdsError
 */
export async function assertTransactionIds(database: Queryable): Promise<void> {
  const [ahead] = await database.query<{ newest: string; next: string }>(lookUp).catch((error: unknown) => {
    if (isDatabaseUnavailable(error) || NOT_MIGRATED.has(databaseErrorCode(error) ?? '')) return [];
    throw error;
  });
  if (ahead === undefined) return;
  throw new RestoredIdsError(
    `The data was restored from another server: it holds transaction ids up to ${ahead.newest}, and this server is at ` +
      `${ahead.next}. The feed, replays and ordered endpoints would stand still until it has passed them. Run what ` +
      'docs/operations.md says under "After a dump and restore", then start again.',
  );
}

import type { Queryable } from './queryable.ts';

/** The oldest major version of PostgreSQL that has what the migrations use. */
const OLDEST = 17;

/** The database is of a server that is too old for the migrations. */
class OldServerError extends Error {
  override readonly name = 'OldServerError';
}

/**
 * Says which versions are supported before a migration fails on what the server does not know yet.
 *
 * @throws OldServerError
 */
export async function refuseOldServer(database: Queryable): Promise<void> {
  const [server] = await database.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  if (server === undefined || server.number >= OLDEST * 10_000) return;
  throw new OldServerError(
    `The server of the database is PostgreSQL ${server.version}, and finhook needs ${OLDEST} or newer. Update it, or ` +
      'point DATABASE_URL at another. Nothing was changed.',
  );
}

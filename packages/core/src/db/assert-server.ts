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

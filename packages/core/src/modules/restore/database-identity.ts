import type { Queryable } from '../../db/queryable.ts';
import type { Core } from '../../verbs/context.ts';

/** The database is an older state or a copy of the cell's, and was not compared with the other cells. */
class RestoredError extends Error {
  override readonly name = 'RestoredError';
}

/** Before a promotion, a process has reported within this time; a restored state has no such report. */
const REPORTED_SECONDS = 60;

const current = `
  SELECT system_identifier::text, d.oid::text AS database_oid,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint AS timeline
  FROM pg_control_system(), pg_database d WHERE d.datname = current_database()`;

export async function recordIdentity(db: Queryable): Promise<void> {
  await db.query(
    `INSERT INTO database_identity (system_identifier, database_oid, timeline)
     SELECT system_identifier, database_oid, timeline FROM (${current}) c
     ON CONFLICT (is_only) DO UPDATE SET system_identifier = excluded.system_identifier,
       database_oid = excluded.database_oid, timeline = excluded.timeline
     WHERE (database_identity.system_identifier, database_identity.database_oid, database_identity.timeline)
       IS DISTINCT FROM (excluded.system_identifier, excluded.database_oid, excluded.timeline)`,
  );
}

/** CTE: accepts a new timeline after a promotion, which lost nothing older than the last report of process `$1`. */
export const followPromotion = `
  promoted AS (
    UPDATE database_identity i SET timeline = c.timeline FROM (${current}) c
    WHERE i.timeline <> c.timeline AND i.system_identifier = c.system_identifier AND i.database_oid = c.database_oid
      AND EXISTS (SELECT FROM service_process WHERE id = $1 AND seen_at > now() - ${REPORTED_SECONDS} * interval '1 second')
  )`;

/** Throws `RestoredError` for a restored database. Skips cells without a name, whose accounts can't move. */
export async function assertNotRestored({ cell, database }: Pick<Core, 'cell' | 'database'>): Promise<void> {
  if (cell !== '') {
    const [found] = await database.query<{ is_same: boolean }>(
      `SELECT i.system_identifier = c.system_identifier AND i.database_oid = c.database_oid AND (
         i.timeline = c.timeline
         OR EXISTS (SELECT FROM service_process WHERE seen_at > now() - ${REPORTED_SECONDS} * interval '1 second')
       ) AS is_same
       FROM database_identity i, (${current}) c`,
    );
    if (found?.is_same === false) {
      throw new RestoredError(
        `The database of the cell ${cell} was restored or copied: it is not the one that the cell ran on. An account that ` +
          'has moved since must not open here again. Stop all processes of this cell, run `pnpm run restored` ' +
          '(docs/operations.md, "Restoring an older state of a cell"), then start them.',
      );
    }
  }
  await recordIdentity(database);
}

import type { Core } from '../verbs/context.ts';
import { systemRole, tenantRole } from './row-security.ts';

interface DatabaseRights {
  version: string;
  /** The user of DATABASE_URL, who owns the tables. */
  user: string;
  /** Superuser or BYPASSRLS. */
  isPrivileged: boolean;
  /** Roles of requests and jobs that row-level security does not bind. */
  unbound: string[];
  /** Roles of requests and jobs that may change or delete rows of the audit log. */
  auditWriters: string[];
}

const RIGHTS_SQL = `
SELECT current_setting('server_version') AS version, u.rolname AS user, u.rolsuper OR u.rolbypassrls AS "isPrivileged",
  ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1) AND (rolsuper OR rolbypassrls)) AS unbound,
  ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1)
    AND has_table_privilege(oid, to_regclass('public.audit_log'), 'UPDATE, DELETE, TRUNCATE')) AS "auditWriters"
FROM pg_roles u WHERE u.rolname = session_user`;

/** What the user of the database and the roles of the service may do. */
export async function readDatabaseRights({ database }: Core): Promise<DatabaseRights> {
  const [rights] = await database.owner.query<DatabaseRights>(RIGHTS_SQL, [[tenantRole, systemRole]]);
  if (!rights) throw new Error('The user of the database is in no catalogue.');
  return rights;
}

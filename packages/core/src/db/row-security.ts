import { databaseErrorCode } from './database-error.ts';
import type { Queryable } from './queryable.ts';

/** Role for an account's requests: sees only rows of `finhook.account_id`. */
export const tenantRole = 'finhook_tenant';
/** Role for work on all accounts: authentication, delivery, maintenance. */
export const systemRole = 'finhook_system';

const ACCOUNT = "current_setting('finhook.account_id', true)";

export const serviceTables: readonly string[] = [
  'account_move',
  'audit_seal',
  'audit_seal_position',
  'database_identity',
  'device_login',
  'mikro_orm_migrations',
  'operator_sign_out',
  'secrets_key',
  'service_process',
  'stored_function',
];

/** Neither role may change or delete rows of these tables. */
const appendOnly: readonly string[] = ['audit_log', 'audit_seal'];

const createRoles = `
DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['${tenantRole}', '${systemRole}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- Another database of this server was migrated at the same moment.
      END;
    END IF;
    IF NOT pg_has_role(current_user, wanted, 'SET') THEN
      EXECUTE format('GRANT %I TO %I', wanted, current_user);
    END IF;
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'The database user % may not create or use the roles that keep accounts apart. An administrator must '
    'run once: %GRANT ${tenantRole}, ${systemRole} TO %;', current_user, (
      SELECT coalesce(string_agg(format('CREATE ROLE %I NOLOGIN; ', missing), ''), '')
      FROM unnest(ARRAY['${tenantRole}', '${systemRole}']) AS missing
      WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = missing)
    ), quote_ident(current_user)
    USING ERRCODE = 'insufficient_privilege';
END $$`;

const mayUseSchema = [tenantRole, systemRole]
  .map((role) => `has_schema_privilege('${role}', 'public', 'USAGE')`)
  .join(' AND ');

// Guides to hardening revoke the default access to `public`.
const openSchema = `
DO $$
BEGIN
  IF ${mayUseSchema} THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO ${tenantRole}, ${systemRole};
  -- Without the grant option, GRANT only warns.
  IF NOT (${mayUseSchema}) THEN
    RAISE EXCEPTION 'The row-level security roles cannot use the schema public, and the database user % cannot grant it. '
      'An administrator must run once: GRANT USAGE ON SCHEMA public TO ${tenantRole}, ${systemRole};', current_user
      USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$`;

interface OpenTable {
  name: string;
  has_account: boolean;
  secured: boolean;
}

/** Partitions get no grants: roles reach them only through their parent. */
const readTables = `
SELECT c.relname AS name, c.relrowsecurity AS secured,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id') AS has_account
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND pg_has_role(c.relowner, 'USAGE')
  AND NOT (c.relrowsecurity AND has_table_privilege('${systemRole}', c.oid, 'SELECT'))
ORDER BY c.relname`;

function secureTable({ name, has_account, secured }: OpenTable): string[] {
  const table = `public."${name}"`;
  const rights = appendOnly.includes(name) ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
  const owner = name === 'account' ? 'id' : has_account ? 'account_id' : undefined;
  const steps = [
    `GRANT ${rights} ON ${table} TO ${systemRole}`,
    ...(secured ? [] : [`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`]),
    `DROP POLICY IF EXISTS system_rows ON ${table}`,
    `CREATE POLICY system_rows ON ${table} TO ${systemRole} USING (true)`,
  ];
  // Without a policy, a table gets no privileges for accounts.
  if (owner === undefined || serviceTables.includes(name)) return steps;
  return [
    ...steps,
    `GRANT ${rights} ON ${table} TO ${tenantRole}`,
    `DROP POLICY IF EXISTS account_rows ON ${table}`,
    `CREATE POLICY account_rows ON ${table} TO ${tenantRole} USING (${owner} = ${ACCOUNT})`,
  ];
}

const NO_PRIVILEGE = '42501';

/** The message has the statements for an administrator. */
class MissingRolesError extends Error {
  override readonly name = 'MissingRolesError';
}

/**
 * Creates missing roles, lets the current user assume them, and grants them the schema. @throws MissingRolesError
 * without the privilege
 */
export async function ensureRoles(owner: Queryable): Promise<void> {
  try {
    await owner.query(createRoles);
    await owner.query(openSchema);
  } catch (cause) {
    if (databaseErrorCode(cause) !== NO_PRIVILEGE || !(cause instanceof Error)) throw cause;
    throw new MissingRolesError(cause.message, { cause });
  }
}

/**
 * Enables row-level security on all tables, so that no migration can forget it. A table needs only a column
 * `account_id`.
 */
export async function secureTables(owner: Queryable): Promise<void> {
  for (const table of await owner.query<OpenTable>(readTables)) {
    await owner.query(secureTable(table).join('; '));
  }
}

interface DatabaseRights {
  version: string;
  /** The user of DATABASE_URL, who owns the tables. */
  user: string;
  isPrivileged: boolean;
  /** Roles that bypass row-level security. */
  unbound: string[];
  /** Roles that may change or delete audit rows. */
  auditWriters: string[];
}

const RIGHTS_SQL = `
SELECT current_setting('server_version') AS version, u.rolname AS user, u.rolsuper OR u.rolbypassrls AS "isPrivileged",
  ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1) AND (rolsuper OR rolbypassrls)) AS unbound,
  ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1)
    AND has_table_privilege(oid, to_regclass('public.audit_log'), 'UPDATE, DELETE, TRUNCATE')) AS "auditWriters"
FROM pg_roles u WHERE u.rolname = session_user`;

export async function readDatabaseRights({ database }: { database: { owner: Queryable } }): Promise<DatabaseRights> {
  const [rights] = await database.owner.query<DatabaseRights>(RIGHTS_SQL, [[tenantRole, systemRole]]);
  if (!rights) throw new Error('The user of the database is in no catalogue.');
  return rights;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type Constructor, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { assertSettingsKept, errorOfConnecting } from './connection-settings.ts';
import { databaseErrorCode, WriteConflict } from './database-error.ts';
import { ensurePartitions } from './partitions.ts';
import type { Queryable } from './queryable.ts';
import { ensureRoles, secureTables } from './row-security.ts';
import { createFunctions, isFunctionLost, keepFunctions, type StoredFunction } from './stored-functions.ts';

/**
 * Migrations in order. One that `replaces` others counts as run in databases whose newest is `last`, of release
 * `version`.
 */
export type MigrationList = readonly {
  name: string;
  class: Constructor<Migration>;
  replaces?: { last: string; version: string };
}[];

interface OwnerConnection {
  connectionString: string;
  options: string;
  connectionTimeoutMillis?: number;
  /** Keeps idle connections alive behind firewalls. */
  keepAlive?: boolean;
  /** Closes the connection, which fails its statements. */
  signal?: AbortSignal;
}

/** What the database of this version contains. */
export interface Schema {
  readonly migrations: MigrationList;
  readonly functions?: readonly StoredFunction[] | undefined;
}

/**
 * Runs pending migrations as the URL's user, who owns every table, then secures new tables, and creates coming
 * partitions and missing functions.
 */
export async function migrateDatabase(
  connection: OwnerConnection,
  { migrations, functions = [] }: Schema,
  onWait?: () => void,
): Promise<void> {
  // The lock serialises migrating processes. It ends with its connection.
  await asOwner(connection, async (owner) => {
    await lock(owner, onWait);
    await ensureRoles(owner);
    await recordReplacing(owner, migrations);
    await runMigrations(connection, migrations, owner);
    await secureTables(owner);
    await ensurePartitions(owner, new Date());
    await createFunctions(owner, functions);
  });
}

export async function asOwner<T>(
  { signal, ...connection }: OwnerConnection,
  work: (owner: Queryable, client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  // Destroys the socket, even during a statement.
  signal?.addEventListener('abort', () => void client.end());
  // The next statement reports errors; without a listener they would end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw errorOfConnecting(error);
  });
  const owner: Queryable = {
    query: async <Row>(sql: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<pg.QueryResultRow & Row>(sql, [...values]);
      return rows;
    },
  };
  try {
    await assertSettingsKept(client);
    await assertServerVersion(owner);
    return await work(owner, client);
  } finally {
    await client.end();
  }
}

class NotMigratedError extends Error {
  override readonly name = 'NotMigratedError';
}

export async function requireMigrated(
  connection: OwnerConnection,
  { migrations, functions = [] }: Schema,
): Promise<void> {
  await asOwner(connection, async (owner) => {
    const { pendingMigrations: pending } = await readDatabaseState(owner, migrations);
    if (pending.length > 0) {
      throw new NotMigratedError(
        `The database is not migrated: ${pending.length} of ${migrations.length} migrations have not run. Start the ` +
          'api of this release first, which runs them, then start this process again.',
      );
    }
    const missing = await keepFunctions(owner, functions);
    if (missing.length > 0) {
      throw new NotMigratedError(
        `The database has no function ${missing.join(', ')}, which this version calls. Start the api of this release ` +
          'first, which creates it, then start this process again.',
      );
    }
  });
}

/** Writers wait for it. */
const RESTORE_MS = 5_000;

/**
 * Returns a function that looks at errors. If the database has lost one of the functions, after a failover to a late standby
 * or the restore of an older dump, it creates it again and throws a conflict, because a retry may succeed.
 */
export function createFunctionRestore(
  connection: OwnerConnection,
  functions: readonly StoredFunction[],
): (error: unknown) => Promise<void> {
  let running: Promise<void> | undefined;
  const create = (): Promise<void> => {
    const limits = { connectionTimeoutMillis: RESTORE_MS, signal: AbortSignal.timeout(RESTORE_MS) };
    return asOwner({ ...connection, ...limits }, (owner) => createFunctions(owner, functions));
  };
  return async (error) => {
    if (!isFunctionLost(error, functions)) return;
    running ??= create().finally(() => {
      running = undefined;
    });
    await running;
    throw new WriteConflict('The database had lost a function, which exists again.', { cause: error });
  };
}

const KEY = "hashtext('finhook migrations')";

async function lock(owner: Queryable, onWait?: () => void): Promise<void> {
  const [row] = await owner.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${KEY}) AS is_mine`);
  if (row?.is_mine) return;
  onWait?.();
  await owner.query(`SELECT pg_advisory_lock(${KEY})`);
}

/** Blocks migrations until the connection ends. Returns false if one is running. */
export async function holdMigrations(owner: Queryable): Promise<boolean> {
  const [row] = await owner.query<{ is_held: boolean }>(`SELECT pg_try_advisory_lock_shared(${KEY}) AS is_held`);
  return row?.is_held === true;
}

const NO_TABLE = '42P01';

/** Records replacing migrations as run. @throws NotMigratedError if the database is older */
async function recordReplacing(owner: Queryable, migrations: MigrationList): Promise<void> {
  const rows = await owner
    .query<{ name: string }>('SELECT name FROM mikro_orm_migrations ORDER BY id')
    .catch((error: unknown) => {
      if (databaseErrorCode(error) === NO_TABLE) return [];
      throw error;
    });
  const ran = rows.map((row) => row.name);
  for (const { name, replaces } of migrations) {
    if (replaces === undefined || ran.length === 0 || ran.includes(name)) continue;
    if (!ran.includes(replaces.last)) {
      throw new NotMigratedError(
        `The database stands at migration ${ran.at(-1)}, which this version cannot update. Run finhook ${replaces.version} ` +
          'on it first (docs/versions.md has its commit): its api runs the migrations up to ' +
          `${replaces.last}. Then start this version again. Nothing was changed.`,
      );
    }
    await owner.query('INSERT INTO mikro_orm_migrations (name) VALUES ($1)', [name]);
  }
}

/**
 * Statements that wait for a table lock block all later ones. A migration that waits longer is rolled back and retried
 * after a pause.
 */
const LOCK_WAIT_MS = 2_000;
const LOCK_PAUSE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs migrations one by one, each only while the owner's connection holds the lock. */
async function runMigrations(connection: OwnerConnection, migrations: MigrationList, owner: Queryable): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: connection.connectionString,
    driverOptions: { ...connection, options: `${connection.options} -c lock_timeout=${LOCK_WAIT_MS}` },
    entities: [],
    extensions: [Migrator],
    migrations: {
      migrationsList: [...migrations],
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: false,
    },
    pool: { max: 1 },
    discovery: { warnWhenNoEntities: false },
  });
  try {
    for (const { name } of await orm.migrator.getPending()) {
      while (!(await isRun(orm.migrator, name, owner))) await sleep(LOCK_PAUSE_MS);
    }
  } finally {
    await orm.close(true);
  }
}

/** Returns false if a table was locked for too long. */
async function isRun(migrator: MikroORM['migrator'], name: string, owner: Queryable): Promise<boolean> {
  await owner.query('SELECT 1').catch((cause: unknown) => {
    throw new Error(`The connection that holds the lock of the migrations is lost before ${name}: start again.`, {
      cause,
    });
  });
  try {
    await migrator.up({ migrations: [name] });
    return true;
  } catch (error) {
    if (databaseErrorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

const NO_PRIVILEGE = '42501';

/** No migrations table, no role, or no permission to read the table, which is granted last. */
const NOT_MIGRATED = new Set(['42P01', '22023', NO_PRIVILEGE]);

export interface DatabaseState {
  pendingMigrations: string[];
  /** Read-only by its settings, or a replica. */
  isReadOnly: boolean;
  /** Set if the user may not read the migrations table. */
  missingPrivilege?: string;
}

const STATE_SQL =
  "SELECT name, current_setting('transaction_read_only')::boolean AS is_read_only FROM mikro_orm_migrations";

export async function readDatabaseState(database: Queryable, migrations: MigrationList): Promise<DatabaseState> {
  const names = migrations.map((migration) => migration.name);
  try {
    const ran = await database.query<{ name: string; is_read_only: boolean }>(STATE_SQL);
    const known = new Set(ran.map(({ name }) => name));
    return {
      pendingMigrations: names.filter((name) => !known.has(name)),
      isReadOnly: ran.some(({ is_read_only }) => is_read_only),
    };
  } catch (error) {
    const code = databaseErrorCode(error) ?? '';
    if (!NOT_MIGRATED.has(code)) throw error;
    const missing = code === NO_PRIVILEGE && error instanceof Error && { missingPrivilege: error.message };
    return { pendingMigrations: names, isReadOnly: false, ...missing };
  }
}

const OLDEST_SERVER = 17;

class ServerVersionError extends Error {
  override readonly name = 'ServerVersionError';
}

/** Fails before a migration does. @throws ServerVersionError */
export async function assertServerVersion(database: Queryable): Promise<void> {
  const [server] = await database.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  if (server === undefined || server.number >= OLDEST_SERVER * 10_000) return;
  throw new ServerVersionError(
    `The server of the database is PostgreSQL ${server.version}, and finhook needs ${OLDEST_SERVER} or newer. Update it, or ` +
      'point DATABASE_URL at another. Nothing was changed.',
  );
}

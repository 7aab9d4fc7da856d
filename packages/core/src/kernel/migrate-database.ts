import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type Constructor, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { databaseErrorCode } from './database-error.ts';
import { ensurePartitions } from './partitions.ts';
import type { Queryable } from './queryable.ts';
import { refuseOldServer } from './refuse-old-server.ts';
import { refuseRestoredIds } from './refuse-restored-ids.ts';
import { ensureRoles, secureTables } from './row-security.ts';

/** Migrations in the order in which they run. */
export type MigrationList = readonly { name: string; class: Constructor<Migration> }[];

/** How the driver connects as the owner of the tables. */
interface OwnerConnection {
  connectionString: string;
  /** Settings of the connection, as the server takes them from a command line. */
  options: string;
}

/**
 * Runs pending migrations as the user that the URL names, who owns every table; then puts new tables behind row-level
 * security and makes the partitions of the coming months.
 */
export async function migrateDatabase(connection: OwnerConnection, migrations: MigrationList): Promise<void> {
  // Processes that start together migrate one after the other; the lock ends with its connection.
  const client = new pg.Client(connection);
  await client.connect();
  const owner: Queryable = {
    query: async <Row>(sql: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<pg.QueryResultRow & Row>(sql, [...values]);
      return rows;
    },
  };
  try {
    await refuseOldServer(owner);
    await owner.query("SELECT pg_advisory_lock(hashtext('finhook migrations'))");
    await ensureRoles(owner);
    await runMigrations(connection, migrations);
    await refuseRestoredIds(owner);
    await secureTables(owner);
    await ensurePartitions(owner, new Date());
  } finally {
    await client.end();
  }
}

async function runMigrations(connection: OwnerConnection, migrations: MigrationList): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: connection.connectionString,
    driverOptions: connection,
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
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

/** No table of migrations, or no role to connect as: nothing has run yet. */
const NOT_MIGRATED = new Set(['42P01', '22023']);

/** Names of migrations that have not run. */
export async function readPendingMigrations(database: Queryable, migrations: MigrationList): Promise<string[]> {
  const names = migrations.map((migration) => migration.name);
  try {
    const ran = await database.query<{ name: string }>('SELECT name FROM mikro_orm_migrations');
    const known = new Set(ran.map(({ name }) => name));
    return names.filter((name) => !known.has(name));
  } catch (error) {
    if (NOT_MIGRATED.has(databaseErrorCode(error) ?? '')) return names;
    throw error;
  }
}

import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ownerSettings, type PoolSettings } from './connection-settings.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { errorOfCommit, isDatabaseUnavailable, isPlanOutdated } from './database-error.ts';
import { CONNECT_MS, connectionOptions, type Lender, withClient } from './lend-connection.ts';
import {
  type DatabaseState,
  type MigrationList,
  migrateDatabase,
  readDatabaseState,
  requireMigrated,
} from './migrate-database.ts';
import { type Binding, beginPrefix, bindPrefix, ownerPrefix, type Prefix, runPrefixed } from './prefixed-statement.ts';
import { type Queryable, statements } from './queryable.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica.ts';
import { createWriteCheck } from './write-check.ts';

/** A database that takes longer to show its state is unavailable. */
const CHECK_MS = 2_000;

export interface Transaction extends Queryable {
  readonly em: EntityManager;
}

/** Runs statements as the service, which sees every account, or as one account behind row-level security. */
export interface Session extends Queryable {
  /** A fresh identity map for reads outside a transaction. */
  em(): EntityManager;
  /** Runs `work` in one READ COMMITTED transaction. Nothing is retried here. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Session {
  /**
   * The same database as one account sees it: even without a WHERE, it reads and changes only that account's rows.
   * Events stored through it continue the trace of `traceparent` (W3C Trace Context).
   */
  forAccount(accountId: string, traceparent?: string): Database;
  readonly traceparent?: string | undefined;
  /**
   * The same database, with a limit: a statement or transaction that takes longer than `ms` closes its connection,
   * because an unresponsive one would block forever. The server stops it within two seconds more. `owner` has no limit.
   */
  within(ms: number): Database;
  /**
   * The same database for reads that may be some seconds old, except that they show every change of the account that was
   * committed before the call. Statements run on the replica where it can give that, otherwise on the primary; those of
   * a transaction and after it run on the primary. Absent without a replica, and without a bound account.
   */
  forReading?: () => Promise<Database>;
  /** How old the replica's rows are at most, in ms. Absent without a replica. */
  readonly replicaLagMs?: (() => number) | undefined;
  usage: () => PoolUsage;
  /** Statements of the user that owns the tables, for partitions; each is its own transaction. */
  readonly owner: Session;
  /**
   * Runs pending migrations, secures new tables and creates the partitions of the coming months. Calls `onWait` before
   * it waits for another process that migrates.
   */
  migrate(onWait?: () => void): Promise<void>;
  /**
   * Throws a one-sentence error if a process that does not migrate cannot run: the server is too old, or migrations have
   * not run.
   */
  requireMigrated(): Promise<void>;
  /** The newest migration that this version has. */
  readonly newestMigration: string;
  state(): Promise<DatabaseState>;
  /**
   * Writes to the write-ahead log, and rejects unless the server confirms it within two seconds. After a statement of this
   * process has failed for lack of disk space, and always if `thorough`, it allocates disk space too, and rejects for five
   * seconds.
   */
  tryWrite(thorough?: boolean): Promise<void>;
  close: () => Promise<void>;
}

interface PoolUsage {
  busy: number;
  idle: number;
  waiting: number;
}

export interface DatabaseOptions extends PoolSettings {
  url: string;
  entities: NonNullable<Options['entities']>;
  migrations: MigrationList;
  poolSize?: number | undefined;
  replica?: ReplicaOptions | undefined;
  onError?: (message: string) => void;
}

function toQuery(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = values.length > 0 ? statements.get(text)?.name : undefined;
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

function toQueryable(run: Run, kind: SessionKind): Queryable {
  return {
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      if (kind === asService) assertSystemStatement(sql);
      const { rows } = await run(toQuery(sql, values));
      return rowsOf<Row>(rows);
    },
  };
}

/** Without a bound account, nothing but its own conditions keeps a statement from the rows of others. */
function assertSystemStatement(sql: string): void {
  const found = statements.get(sql);
  if (found === undefined || found.isSystem) return;
  throw new Error(
    `The statement ${found.name} runs for an account. Run it on database.forAccount(id), or make it a systemStatement, ` +
      'whose conditions name the accounts.',
  );
}

// The caller of `query` says what its SQL returns.
function rowsOf<Row>(rows: unknown[]): Row[] {
  return rows as Row[];
}

/** Makes the entity manager send its SQL through `run`, and so on the transaction's connection. */
function forkThrough(orm: MikroORM, run: Run): EntityManager {
  const em = entityManagerOf(orm.em.fork({ clear: true }));
  em.setTransactionContext({
    async executeQuery({ sql, parameters = [] }: { sql: string; parameters?: readonly unknown[] }) {
      const { command, rowCount, rows } = await run(toQuery(sql, parameters));
      return { rows, numAffectedRows: command === 'SELECT' ? undefined : BigInt(rowCount ?? 0) };
    },
  });
  return em;
}

// The ORM was opened with the PostgreSQL driver.
function entityManagerOf(em: unknown): EntityManager {
  return em as EntityManager;
}

/**
 * Commits the changes of `work`, or rolls them back. The transaction begins with the first statement, in its round
 * trip; without one there is none. A connection that fails here does not return to the pool.
 */
async function runTransaction<T>(
  client: pg.PoolClient,
  prefixes: readonly Prefix[],
  work: (run: Run) => Promise<T>,
): Promise<T> {
  let isBegun = false;
  const run: Run = (query) => {
    if (isBegun) return client.query(query);
    isBegun = true;
    return runPrefixed(client, [beginPrefix, ...prefixes], query);
  };
  try {
    const result = await work(run);
    if (!isBegun) return result;
    const { command } = await client.query('COMMIT').catch(rejectCommit);
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.');
    return result;
  } catch (error) {
    // On a lost connection this fails as well, and the first error has the reason.
    if (isBegun && !isDatabaseUnavailable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

function rejectCommit(error: unknown): never {
  throw errorOfCommit(error);
}

interface SessionKind {
  /** What a transaction begins with. */
  prefixes: readonly Prefix[];
  run(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult>;
}

const asService: SessionKind = { prefixes: [], run: (client, query) => client.query(query) };

const asOwner: SessionKind = {
  prefixes: [ownerPrefix],
  run: (client, query) =>
    runTransaction(client, [], async (run) => {
      await run({ text: ownerPrefix.text });
      // Not prefixed: it may be several statements.
      return run(query);
    }),
};

function asAccount(binding: Binding): SessionKind {
  return {
    prefixes: [bindPrefix(binding)],
    run: (client, query) => runPrefixed(client, [bindPrefix(binding, query.name === undefined)], query),
  };
}

/** Runs a single statement; if its plan is outdated, retries on other connections until one succeeds. */
async function runAlone(lender: Lender, kind: SessionKind, query: pg.QueryConfig): Promise<pg.QueryResult> {
  for (;;) {
    try {
      return await withClient(lender, (client) => kind.run(client, query).catch(rejectCommit));
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
    }
  }
}

function openSession(orm: MikroORM, lender: Lender, kind: SessionKind): Session {
  const run: Run = (query) => runAlone(lender, kind, query);
  return {
    ...toQueryable(run, kind),
    em: () => forkThrough(orm, run),
    transaction: (work) =>
      withClient(lender, (client) =>
        runTransaction(client, kind.prefixes, async (inside) => {
          const em = forkThrough(orm, inside);
          const result = await work({ ...toQueryable(inside, kind), em });
          await em.flush();
          return result;
        }),
      ),
  };
}

/** Opens the database. It connects on first use, so this succeeds while PostgreSQL is unavailable. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, entities, migrations, poolSize = 10, onError } = options;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    pool: { max: poolSize },
    // It would connect at once.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    // The ORM takes host, port, user and password from a URL and ignores the rest, including `sslmode`. The driver takes
    // all.
    driverOptions: connectionOptions(url, options),
    logger: (message) => onError?.(message),
  });
  const pool: pg.Pool = await orm.driver.getConnection().getNativeClient();
  const turns = createConnectionTurns({ max: poolSize, waitMs: CONNECT_MS });
  const asReplica = (given: ReplicaOptions): Replica => {
    const primary = openSession(orm, { pool, turns, limitMs: CONNECT_MS }, asService);
    return openReplica(given, { primary, settings: options, poolSize, types: pool.options.types, onError });
  };
  const writes = createWriteCheck();
  const onFailure = writes.note;
  const replica = options.replica && asReplica(options.replica);
  const shared: Omit<Database, keyof Session | 'forAccount' | 'forReading' | 'within'> = {
    replicaLagMs: replica?.lagMs,
    owner: openSession(orm, { pool, turns, onFailure }, asOwner),
    tryWrite: (thorough) =>
      writes.run(openSession(orm, { pool, turns, limitMs: CHECK_MS, onFailure }, asService), thorough),
    migrate: (onWait) => migrateDatabase({ connectionString: url, options: ownerSettings }, migrations, onWait),
    requireMigrated: () => requireMigrated({ connectionString: url, options: ownerSettings }, migrations),
    newestMigration: migrations.at(-1)?.name ?? '',
    state: () => readDatabaseState(openSession(orm, { pool, turns, limitMs: CHECK_MS }, asService), migrations),
    async close() {
      await replica?.close();
      await orm.close(true);
      // The ORM ends the pool only if it was used through it.
      if (!pool.ending) await pool.end();
    },
    usage: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: turns.waiting() }),
  };
  const view = (binding?: Binding, limitMs?: number): Database => {
    const lender = { pool, turns, accountId: binding?.accountId, limitMs, onFailure };
    const kind = binding === undefined ? asService : asAccount(binding);
    const primary: Database = {
      ...shared,
      ...openSession(orm, lender, kind),
      traceparent: binding?.traceparent,
      forAccount: (accountId, traceparent) => view({ accountId, traceparent }, limitMs),
      within: (ms) => view(binding, ms),
    };
    if (replica === undefined || binding === undefined) return primary;
    return { ...primary, forReading: () => readFrom(replica, { orm, lender, kind, binding, primary }) };
  };
  return view();
}

interface ReadParts {
  orm: MikroORM;
  lender: Lender;
  kind: SessionKind;
  binding: Binding;
  primary: Database;
}

async function readFrom(replica: Replica, { orm, lender, kind, binding, primary }: ReadParts): Promise<Database> {
  const reads = await replica.reads(binding, primary);
  if (reads === undefined) return primary;
  const run: Run = (query) => reads.run(query, (again) => runAlone(lender, kind, again));
  return {
    ...primary,
    ...toQueryable(run, kind),
    em: () => forkThrough(orm, run),
    transaction(work) {
      reads.leave();
      return primary.transaction(work);
    },
  };
}

import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ownerSettings, type PoolSettings } from './connection-settings.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { errorOfCommit, isDatabaseUnavailable, isPlanOutdated } from './database-error.ts';
import { CONNECT_MS, connectionOptions, type Lender, withClient } from './lend-connection.ts';
import {
  createFunctionRestore,
  type DatabaseState,
  migrateDatabase,
  readDatabaseState,
  requireMigrated,
  type Schema,
} from './migrate-database.ts';
import { type Binding, beginPrefix, bindPrefix, ownerPrefix, type Prefix, runPrefixed } from './prefixed-statement.ts';
import { type Queryable, statements } from './queryable.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica.ts';
import { createWriteCheck } from './write-check.ts';

/** A database that does not answer within this time is unavailable. */
const CHECK_MS = 2_000;

export interface Transaction extends Queryable {
  readonly em: EntityManager;
}

/** Runs statements as the service, for all accounts, or as one account behind row-level security. */
export interface Session extends Queryable {
  /** A fresh identity map for reads outside a transaction. */
  em(): EntityManager;
  /** Runs `work` in one READ COMMITTED transaction, without retries. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Session {
  /**
   * The database restricted to one account's rows, even without a WHERE. Stored events continue the trace `traceparent`
   * (W3C Trace Context).
   */
  forAccount(accountId: string, traceparent?: string): Database;
  readonly traceparent?: string | undefined;
  /**
   * Limits statements and transactions to `ms` by closing their connection; the server stops within two more seconds.
   * Does not limit `owner`.
   */
  within(ms: number): Database;
  /**
   * For reads that may be some seconds old but show all earlier changes of the account. They run on the replica if it
   * has replayed them, otherwise, and from the first transaction on, on the primary. Absent without a replica or
   * account.
   */
  forReading?: () => Promise<Database>;
  /** Maximum age of the replica's rows, in ms. Absent without a replica. */
  readonly replicaLagMs?: (() => number) | undefined;
  usage: () => PoolUsage;
  /** Runs statements as the owner of the tables, for partitions. Each is a transaction. */
  readonly owner: Session;
  /**
   * Runs pending migrations, secures new tables, and creates coming partitions and missing functions. Calls `onWait`
   * before it waits for another migrating process.
   */
  migrate(onWait?: () => void): Promise<void>;
  /** @throws with a one-sentence message if the server is too old, migrations have not run, or a function is missing */
  requireMigrated(): Promise<void>;
  readonly newestMigration: string;
  /** Names of the functions that this process calls. */
  readonly functionNames: readonly string[];
  state(): Promise<DatabaseState>;
  /**
   * Rejects unless the server confirms a write to its log within two seconds. If a statement failed for lack of disk
   * space, or if `thorough`, it also allocates disk space, and rejects for five seconds after a failure.
   */
  tryWrite(thorough?: boolean): Promise<void>;
  close: () => Promise<void>;
}

interface PoolUsage {
  busy: number;
  idle: number;
  waiting: number;
}

export interface DatabaseOptions extends PoolSettings, Schema {
  url: string;
  entities: NonNullable<Options['entities']>;
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

/** Without a bound account, only a statement's own conditions separate accounts. */
function assertSystemStatement(sql: string): void {
  const found = statements.get(sql);
  if (found === undefined || found.isSystem) return;
  throw new Error(
    `The statement ${found.name} runs for an account. Run it on database.forAccount(id), or make it a systemStatement, ` +
      'whose conditions name the accounts.',
  );
}

// The caller of `query` knows the columns of its SQL.
function rowsOf<Row>(rows: unknown[]): Row[] {
  return rows as Row[];
}

/** An entity manager whose SQL runs through `run`, and so with the session's role and account. */
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

// The ORM uses the PostgreSQL driver.
function entityManagerOf(em: unknown): EntityManager {
  return em as EntityManager;
}

/**
 * Commits the changes of `work`, or rolls them back. BEGIN is sent with the first statement, in one round trip. A
 * failing connection does not return to the pool.
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
    // A lost connection cannot roll back; the first error has the reason.
    if (isBegun && !isDatabaseUnavailable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

function rejectCommit(error: unknown): never {
  throw errorOfCommit(error);
}

interface SessionKind {
  prefixes: readonly Prefix[];
  run(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult>;
}

const asService: SessionKind = { prefixes: [], run: (client, query) => client.query(query) };

const asOwner: SessionKind = {
  prefixes: [ownerPrefix],
  run: (client, query) =>
    runTransaction(client, [], async (run) => {
      await run({ text: ownerPrefix.text });
      // Sent separately, because it may be several statements.
      return run(query);
    }),
};

function asAccount(binding: Binding): SessionKind {
  return {
    prefixes: [bindPrefix(binding)],
    run: (client, query) => runPrefixed(client, [bindPrefix(binding, query.name === undefined)], query),
  };
}

/** Runs a statement, and retries outdated plans on other connections. */
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

/** Connects on first use, so this succeeds while PostgreSQL is down. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, entities, migrations, functions = [], poolSize = 10, onError } = options;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    pool: { max: poolSize },
    // Checking would connect at once.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    // The ORM ignores parts of a URL, like `sslmode`; the driver does not.
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
  const ownerConnection = { connectionString: url, options: ownerSettings };
  const restore = createFunctionRestore(ownerConnection, functions);
  const onFailure = (error: unknown): Promise<void> => {
    writes.note(error);
    return restore(error);
  };
  const replica = options.replica && asReplica(options.replica);
  const shared: Omit<Database, keyof Session | 'forAccount' | 'forReading' | 'within'> = {
    replicaLagMs: replica?.lagMs,
    owner: openSession(orm, { pool, turns, onFailure }, asOwner),
    tryWrite: (thorough) =>
      writes.run(openSession(orm, { pool, turns, limitMs: CHECK_MS, onFailure }, asService), thorough),
    migrate: (onWait) => migrateDatabase(ownerConnection, options, onWait),
    requireMigrated: () => requireMigrated(ownerConnection, options),
    newestMigration: migrations.at(-1)?.name ?? '',
    functionNames: functions.map(({ name }) => name),
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

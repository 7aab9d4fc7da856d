import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { type Binding, bindTransactionSql, runForAccount } from './account-statement.ts';
import { errorOfCommit, isDatabaseUnavailable, isPlanOutdated } from './database-error.ts';
import { type MigrationList, migrateDatabase, readPendingMigrations } from './migrate-database.ts';
import type { Queryable } from './queryable.ts';

/** An open transaction: raw SQL and entities on the same connection. */
export interface Transaction extends Queryable {
  readonly em: EntityManager;
}

/** Where statements run: as the service, which sees every account, or as one account behind row-level security. */
export interface Session extends Queryable {
  /** A fresh identity map for reads outside a transaction. */
  em(): EntityManager;
  /** Runs `work` in one READ COMMITTED transaction. Nothing is retried here. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Session {
  /**
   * The same database as one account sees it: without a WHERE, too, it reads and changes that account's rows only.
   * Events that are stored through it go on with the trace that `traceparent` names (W3C Trace Context).
   */
  forAccount(accountId: string, traceparent?: string): Database;
  readonly traceparent?: string | undefined;
  /**
   * The same database, where a statement or a transaction that is not over within `ms` gives its connection up: one
   * that has fallen silent would be waited for for ever. The server stops it within two seconds more. `owner` stays
   * without such a limit.
   */
  within(ms: number): Database;
  /** How the connections of the pool are used now. */
  usage: () => PoolUsage;
  /** Statements of the user that owns the tables, for partitions; each is a transaction of its own. */
  readonly owner: Session;
  /** Runs pending migrations, secures new tables and makes the partitions of the coming months. */
  migrate(): Promise<void>;
  /** Names of migrations that have not run. */
  pendingMigrations(): Promise<string[]>;
  close: () => Promise<void>;
}

interface PoolUsage {
  busy: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

export interface DatabaseOptions {
  url: string;
  entities: NonNullable<Options['entities']>;
  migrations: MigrationList;
  /** The role that connections take on; without one they work as the user that the URL names. */
  role?: string;
  /** Connections of the pool. */
  poolSize?: number;
  /** How long a statement may take, its waits for locks too, in ms; without end when absent. Migrations are free of it. */
  statementTimeoutMs?: number;
  onError?: (message: string) => void;
}

const LABEL = /^\/\* ([a-z0-9_]+) \*\//;

/** The label doubles as the prepared statement's name. */
function toQuery(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = values.length > 0 ? LABEL.exec(text)?.[1] : undefined;
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

// A prepared statement has one plan for all values. Left to itself, the server plans one of several tables anew for each
// execution as long as the averages of its estimates say so, which costs up to five times as much as running it.
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

// That plan is kept until the table is analysed. One made while a table was small would read all of it for every key once
// it has grown: a burst of deliveries then costs seconds. Every statement here has its index.
// A bitmap has no order: where statistics are missing, a page would be sorted out of all rows of its company.
const USE_INDEXES = '-c enable_seqscan=off -c enable_bitmapscan=off';

// A process that stands still or vanishes inside a transaction would hold its locks, and everybody's feed, for as long as
// nobody ends it. No transaction waits for anything but its own statements: exports hold none between two pages.
const END_THE_IDLE = '-c idle_in_transaction_session_timeout=15s';
// A machine that is gone answers no probe, and takes nothing of what is sent to it: 25 s, in ms for the last one.
const END_THE_GONE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';
// The server goes on with a statement whose connection was given up until it has an answer, and its transaction holds up
// everybody's feed. PostgreSQL on Windows cannot look for its client, and refuses the setting.
const STOP_FOR_NOBODY = process.platform === 'win32' ? [] : ['-c client_connection_check_interval=2s'];

// Times are read as ISO 8601 writes them, and tables are made and found in `public`. A server, a role or a database may be
// set otherwise, and by itself PostgreSQL looks first in a schema that is named like the user, which no other role does.
const AS_EXPECTED = '-c datestyle=ISO -c search_path=public';

function settingsOf({ role, statementTimeoutMs }: Pick<DatabaseOptions, 'role' | 'statementTimeoutMs'>): string {
  const settings = [AS_EXPECTED, ONE_PLAN, USE_INDEXES, END_THE_IDLE, END_THE_GONE, ...STOP_FOR_NOBODY];
  if (role !== undefined) settings.push(`-c role=${role}`);
  if (statementTimeoutMs !== undefined) settings.push(`-c statement_timeout=${statementTimeoutMs}`);
  return settings.join(' ');
}

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

function toQueryable(run: Run): Queryable {
  return {
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      const { rows } = await run(toQuery(sql, values));
      return rowsOf<Row>(rows);
    },
  };
}

// The caller of `query` says what its SQL returns.
function rowsOf<Row>(rows: unknown[]): Row[] {
  return rows as Row[];
}

/** Has the entity manager send its SQL through `run`: what it takes for its transaction is where the SQL goes. */
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

/** Connections, each for `limitMs` at most if that is given. */
interface Lender {
  readonly pool: pg.Pool;
  readonly limitMs?: number | undefined;
}

async function withClient<T>({ pool, limitMs }: Lender, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isHeld = true;
  const release = (isBroken: boolean): void => {
    if (isHeld) client.release(isBroken);
    isHeld = false;
  };
  // That closes the connection, and what waits for its answer fails.
  const timer = limitMs === undefined ? undefined : setTimeout(release, limitMs, true);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = isDatabaseUnavailable(error) || isPlanOutdated(error);
    throw error;
  } finally {
    clearTimeout(timer);
    release(broken);
  }
}

/** Commits what `work` did, or rolls it back. A connection that fails here is not given back to the pool. */
async function runTransaction<T>(client: pg.PoolClient, begin: string, work: () => Promise<T>): Promise<T> {
  try {
    await client.query(begin);
    const result = await work();
    const { command } = await client.query('COMMIT').catch(rejectCommit);
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.');
    return result;
  } catch (error) {
    // On a connection that is lost this fails as well, and the first error says why.
    if (!isDatabaseUnavailable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

function rejectCommit(error: unknown): never {
  throw errorOfCommit(error);
}

interface SessionKind {
  /** Opens a transaction. */
  begin: string;
  /** Runs a statement outside a transaction. */
  run(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult>;
}

const asService: SessionKind = { begin: 'BEGIN', run: (client, query) => client.query(query) };

const asOwner: SessionKind = {
  begin: 'BEGIN; SET LOCAL ROLE NONE',
  run: (client, query) => runTransaction(client, asOwner.begin, () => client.query(query)),
};

function asAccount(binding: Binding): SessionKind {
  return {
    begin: `BEGIN; ${bindTransactionSql(binding)}`,
    run: (client, query) => runForAccount(client, binding, query),
  };
}

/** Runs a statement by itself; where its plan is outdated, again on the next connection until one has none. */
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
    ...toQueryable(run),
    em: () => forkThrough(orm, run),
    transaction: (work) =>
      withClient(lender, (client) =>
        runTransaction(client, kind.begin, async () => {
          const inside: Run = (query) => client.query(query);
          const em = forkThrough(orm, inside);
          const result = await work({ ...toQueryable(inside), em });
          await em.flush();
          return result;
        }),
      ),
  };
}

/** Opens the database. Connections are made on first use, so this succeeds while PostgreSQL is away. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, entities, migrations, poolSize = 10, onError } = options;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    pool: { max: poolSize },
    // It would connect at once.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    driverOptions: {
      // The ORM takes host, port, user and password from a URL and leaves the rest, `sslmode` too. The driver takes all.
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'finhook',
      options: settingsOf(options),
    },
    logger: (message) => onError?.(message),
  });
  const pool: pg.Pool = await orm.driver.getConnection().getNativeClient();
  const shared = {
    owner: openSession(orm, { pool }, asOwner),
    migrate: () => migrateDatabase({ connectionString: url, options: AS_EXPECTED }, migrations),
    pendingMigrations: () => readPendingMigrations(openSession(orm, { pool }, asService), migrations),
    async close() {
      await orm.close(true);
      // The ORM ends the pool only where it was used through it.
      if (!pool.ending) await pool.end();
    },
    usage: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
  const view = (binding?: Binding, limitMs?: number): Database => ({
    ...shared,
    ...openSession(orm, { pool, limitMs }, binding === undefined ? asService : asAccount(binding)),
    traceparent: binding?.traceparent,
    forAccount: (accountId, traceparent) => view({ accountId, traceparent }, limitMs),
    within: (ms) => view(binding, ms),
  });
  return view();
}

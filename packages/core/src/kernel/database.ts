import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import { ensurePartitions } from './partitions.ts';
import type { Queryable } from './queryable.ts';

/** An open transaction: raw SQL and entities on the same connection. */
export interface Transaction extends Queryable {
  readonly em: EntityManager;
}

export interface Database extends Queryable {
  /** A fresh identity map for reads outside a transaction. */
  em(): EntityManager;
  /** Runs `work` in one READ COMMITTED transaction. Nothing is retried here. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs pending migrations and makes the partitions of the coming months. */
  migrate(): Promise<void>;
  /** Names of migrations that have not run. */
  pendingMigrations(): Promise<string[]>;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  entities: NonNullable<Options['entities']>;
  migrations: NonNullable<NonNullable<Options['migrations']>['migrationsList']>;
  /** Connections of the pool. */
  poolSize?: number;
  onError?: (message: string) => void;
}

const LABEL = /^\/\* ([a-z0-9_]+) \*\//;

const TRANSACTION_EDGE = /^(begin|start transaction.*|rollback)$/i;

// The label doubles as the prepared statement's name, so that the ORM's transactions prepare hot statements too.
// A transaction whose connection broke fails its BEGIN or ROLLBACK, after which the ORM gives no connection back: it
// is thrown out of the pool here, or each such loss would cost the pool a place for ever.
function adaptClient(client: pg.PoolClient): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const prepared = (first: unknown, ...rest: unknown[]): unknown => {
    if (typeof first === 'string' && TRANSACTION_EDGE.test(first)) {
      const answer = query(first, ...rest);
      if (answer instanceof Promise) answer.catch(() => client.release(true));
      return answer;
    }
    const label = typeof first === 'string' && Array.isArray(rest[0]) ? LABEL.exec(first)?.[1] : undefined;
    if (label === undefined) return query(first, ...rest);
    return query({ name: label, text: first, values: rest[0] }, ...rest.slice(1));
  };
  Object.defineProperty(client, 'query', { value: prepared });
}

// A prepared statement's plan is kept until the table is analysed. One made while a table was small would read all of it
// for every key once it has grown: a burst of deliveries then costs seconds. Every statement here has its index.
const USE_INDEXES = '-c enable_seqscan=off';

function kyselyTransaction(context: unknown): KyselyTransaction<unknown> {
  if (!context) throw new Error('This entity manager is not in a transaction.');
  return context as KyselyTransaction<unknown>;
}

function bindTransaction(em: EntityManager): Transaction {
  const context = kyselyTransaction(em.getTransactionContext());
  return {
    em,
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      const result = await context.executeQuery<Row>(CompiledQuery.raw(sql, [...values]));
      return result.rows;
    },
  };
}

/** Opens the database. Connections are made on first use, so this succeeds while PostgreSQL is away. */
export async function openDatabase({
  url,
  entities,
  migrations,
  poolSize = 10,
  onError,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, silent: true, transactional: true, allOrNothing: false },
    pool: { max: poolSize },
    discovery: { warnWhenNoEntities: false },
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'finhook',
      options: USE_INDEXES,
      onPoolCreated: (created: pg.Pool) => void created.on('connect', adaptClient),
    },
    logger: (message) => onError?.(message),
  });
  const pool: pg.Pool = await orm.driver.getConnection().getNativeClient();
  async function runOnPool<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await pool.query<pg.QueryResultRow & Row>(sql, [...values]);
    return result.rows;
  }
  return {
    em: () => orm.em.fork(),
    query: runOnPool,
    transaction: (work) => orm.em.fork().transactional((em) => work(bindTransaction(em)), { clear: true }),
    async migrate() {
      // Processes that start together migrate one after the other; the lock ends with its connection.
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query("SELECT pg_advisory_lock(hashtext('finhook migrations'))");
        await orm.migrator.up();
        await ensurePartitions({ query: runOnPool }, new Date());
      } finally {
        await client.end();
      }
    },
    async pendingMigrations() {
      const pending = await orm.migrator.getPending();
      return pending.map(({ name }) => name);
    },
    close: () => orm.close(true),
  };
}

const UNAVAILABLE_CLASSES = /^(08|53|57P0[123])/;
const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** The SQLSTATE or network code of a database error, looked for along its causes. */
export function databaseErrorCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/** Whether the database could not be reached or shut down under us, so that the caller may try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code !== undefined) return UNAVAILABLE_CLASSES.test(code) || NETWORK_CODES.has(code);
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}

/** What was read changed before it was written: the transaction is to be run again. */
export class WriteConflict extends Error {
  readonly code = '40001';
}

/** Deadlock or serialization failure: the same transaction may succeed when run again. */
export function isTransactionConflict(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '40P01' || code === '40001';
}

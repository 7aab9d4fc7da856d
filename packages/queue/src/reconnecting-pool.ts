import { setTimeout as delay } from 'node:timers/promises';
import { type createPostgresBackend, runMigrations } from 'bullmq';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { BackendHealth } from './backend-health.ts';

const readOnlyCode = '25006';
/** too many connections, admin shutdown, crash shutdown, cannot connect now, read-only transaction */
const serverCodes = ['53300', '57P01', '57P02', '57P03', readOnlyCode];
const socketCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
const connectionErrorCodes = new Set([...serverCodes, ...socketCodes]);
/** Errors of pg itself, which have no code. */
const connectionErrorMessages = [
  'Connection terminated',
  'connection timeout',
  'timeout exceeded',
  'Query read timeout',
  'not queryable',
];
/** undefined table, undefined function, invalid schema name */
const missingSchemaCodes = new Set(['42P01', '42883', '3F000']);
/** duplicate table, duplicate object, duplicate function */
const duplicateCodes = new Set(['42P07', '42710', '42723']);

function readOnlyError(): Error {
  return Object.assign(new Error('The server accepts no writes: it is read-only, or a replica.'), {
    code: readOnlyCode,
  });
}

function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (connectionErrorCodes.has(code) || code.startsWith('08')) return true;
  return error instanceof Error && connectionErrorMessages.some((words) => error.message.includes(words));
}

function isMissingSchema(error: unknown): boolean {
  return (
    missingSchemaCodes.has(codeOf(error)) || (error instanceof Error && error.name === 'SchemaMigrationRequiredError')
  );
}

function isDuplicateObject(error: unknown): boolean {
  return duplicateCodes.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

type BullPool = Extract<Parameters<typeof createPostgresBackend>[1]['connection'], { connect(): Promise<unknown> }>;

interface ReconnectingPool {
  readonly pool: BullPool;
  readonly ping: () => Promise<void>;
  readonly tryWrite: () => Promise<void>;
  readonly abandon: () => void;
}

const reconnectMs = 250;

/** Creates BullMQ's tables when missing, and turns connection errors into the one for which BullMQ waits. */
export function reconnectingPool(pool: Pool, health: BackendHealth): ReconnectingPool {
  const abandoned = new AbortController();
  const schema = queueSchema(pool);
  const tryWrite = () => checkWritable(pool, schema);
  const down = probeWhenDown(tryWrite, health, abandoned.signal);
  pool.on('error', down);

  /** Waits without a limit, because BullMQ never retries a failed first connection. */
  const connect = async (): Promise<PoolClient> => {
    for (;;) {
      abandoned.signal.throwIfAborted();
      try {
        await schema.ensure();
        const client = await pool.connect();
        health.up();
        return client;
      } catch (error) {
        down(error);
        await delay(reconnectMs, undefined, { signal: abandoned.signal });
      }
    }
  };

  const query = async (text: string, params: readonly unknown[] = []) => {
    const run = () => pool.query(text, [...params]);
    try {
      const result = await run().catch(async (error: unknown) => {
        if (!isMissingSchema(error)) throw error;
        health.warn(error);
        await schema.rebuild();
        return run();
      });
      health.up();
      return result;
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      down(error);
      throw unreachableForBullmq(error);
    }
  };

  return {
    pool: asBullPool({
      query,
      connect,
      end: () => pool.end(),
      on: pool.on.bind(pool),
      removeAllListeners: pool.removeAllListeners.bind(pool),
    }),
    ping: async () => void (await query('select 1')),
    tryWrite: () =>
      tryWrite().catch((error: unknown) => {
        down(error);
        throw error;
      }),
    abandon: () => abandoned.abort(new Error('The queue is being closed.')),
  };
}

/** Fails without the tables, or on a read-only server. */
async function checkWritable(pool: Pool, schema: QueueSchema): Promise<void> {
  await schema.ensure();
  const { rowCount } = await pool.query("select 1 where current_setting('transaction_read_only') = 'off'");
  if (rowCount === 0) throw readOnlyError();
}

/** Returns `health.down` with a probe, because nothing else queries a server that is down. */
function probeWhenDown(
  tryWrite: () => Promise<void>,
  health: BackendHealth,
  abandoned: AbortSignal,
): (error: unknown) => void {
  let probe: NodeJS.Timeout | undefined;
  abandoned.addEventListener('abort', () => clearTimeout(probe));
  const down = (error: unknown) => {
    health.down(error);
    if (abandoned.aborted) return;
    probe ??= setTimeout(() => {
      probe = undefined;
      tryWrite().then(health.up, down);
    }, reconnectMs);
  };
  return down;
}

/** BullMQ recognises a lost connection only by this code. */
function unreachableForBullmq(cause: unknown): Error {
  return Object.assign(new Error('connect ECONNREFUSED (the queue is away)', { cause }), { code: 'ECONNREFUSED' });
}

/** The methods are those of pg; only BullMQ's types of the listeners differ. */
function asBullPool(
  pool: Pick<Pool, 'connect' | 'end' | 'on' | 'removeAllListeners'> & {
    query(text: string, params?: readonly unknown[]): Promise<QueryResult>;
  },
): BullPool {
  return pool as BullPool;
}

interface QueueSchema {
  readonly ensure: () => Promise<void>;
  readonly rebuild: () => Promise<void>;
}

function queueSchema(pool: Pool): QueueSchema {
  let done = false;
  let running: Promise<void> | undefined;
  const rebuild = () => {
    done = false;
    running ??= migrate(pool)
      .then(() => void (done = true))
      .finally(() => (running = undefined));
    return running;
  };
  return { rebuild, ensure: () => (done ? Promise.resolve() : rebuild()) };
}

async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client).catch(async (error: unknown) => {
      if (!isDuplicateObject(error)) throw error;
      // The tables exist but BullMQ's list of migrations is empty. Wake-ups may be lost, so create the schema again.
      await client.query('drop schema bullmq cascade');
      await runMigrations(client);
    });
  } finally {
    client.release();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { createPostgresBackend } from 'bullmq';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { BackendHealth } from './backend-health.ts';
import { isAway, isSchemaLost, readOnlyError } from './postgres-errors.ts';
import { type QueueSchema, queueSchema } from './queue-schema.ts';

/** The `pg.Pool` shape that BullMQ takes as a connection. */
type BullPool = Extract<Parameters<typeof createPostgresBackend>[1]['connection'], { connect(): Promise<unknown> }>;

export interface ReconnectingPool {
  readonly pool: BullPool;
  readonly ping: () => Promise<void>;
  /** The same where the server takes what is to be queued; rejects where it doesn't. */
  readonly tryWrite: () => Promise<void>;
  /** Lets those who wait for a connection fail, now and later. */
  readonly abandon: () => void;
}

const reconnectMs = 250;

/**
 * A pool under BullMQ that makes its tables when they are missing, at first or after someone dropped them, and that
 * turns "the server is away" into the one error that BullMQ waits out instead of retrying in a hot loop.
 */
export function reconnectingPool(pool: Pool, health: BackendHealth): ReconnectingPool {
  const abandoned = new AbortController();
  const schema = queueSchema(pool);
  const tryWrite = () => writeNothing(pool, schema);
  const down = probeWhenDown(tryWrite, health, abandoned.signal);
  pool.on('error', down);

  /** Waits for as long as it takes, because BullMQ remembers a failed first connection for ever. */
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
        if (!isSchemaLost(error)) throw error;
        health.trouble(error);
        await schema.rebuild();
        return run();
      });
      health.up();
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      down(error);
      throw awayForBullmq(error);
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

/** Fails where a write would: without the tables, and on a server that is read-only. */
async function writeNothing(pool: Pool, schema: QueueSchema): Promise<void> {
  await schema.ensure();
  const { rowCount } = await pool.query("select 1 where current_setting('transaction_read_only') = 'off'");
  if (rowCount === 0) throw readOnlyError();
}

/** Nobody queries a server that is known to be away, so somebody has to look whether it is back. */
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

/** BullMQ knows a lost connection by this code only. */
function awayForBullmq(cause: unknown): Error {
  return Object.assign(new Error('connect ECONNREFUSED (the queue is away)', { cause }), { code: 'ECONNREFUSED' });
}

/** The methods are those of pg; only the library's own declaration of its listeners differs. */
function asBullPool(
  pool: Pick<Pool, 'connect' | 'end' | 'on' | 'removeAllListeners'> & {
    query(text: string, params?: readonly unknown[]): Promise<QueryResult>;
  },
): BullPool {
  return pool as BullPool;
}

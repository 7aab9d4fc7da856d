import { createPostgresBackend, withBackend } from 'bullmq';
import { Pool, type PoolClient } from 'pg';
import type { BackendHealth } from './backend-health.ts';
import { keepOpen, wrapQueue, wrapWorker } from './bullmq.ts';
import { queueOptions, workerOptions } from './bullmq-options.ts';
import type { BoardQueue, QueueDriver } from './driver.ts';
import { queueName } from './queue-name.ts';
import { reconnectingPool } from './reconnecting-pool.ts';
import { withDeadline } from './with-deadline.ts';

/** Each worker holds one connection of the consumer's for LISTEN; the others are shared. */
const poolSize = { producer: 3, consumer: 9 };

const closeMs = 500;

// A wake-up that a crash loses costs a second, so nothing waits for the disk. The rest is as a server is by itself, whatever
// the database or the user is set to: the library's statements count on it.
const settings = String.raw`-c search_path=bullmq,public -c synchronous_commit=off -c lock_timeout=0
  -c default_transaction_isolation=read\ committed -c idle_session_timeout=0`;

/** BullMQ on PostgreSQL: tables in the schema `bullmq`, new jobs announced by NOTIFY. */
export function openPostgresDriver(url: string, role: 'producer' | 'consumer', health: BackendHealth): QueueDriver {
  const pool = new Pool({
    connectionString: url,
    max: poolSize[role],
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
    application_name: `finhook-queue-${role}`,
    options: settings,
  });
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    // A client that is lent out and does nothing at the moment would end the process with the error of its connection:
    // the pool listens to those that are idle only. Its holder is told by the next statement.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => void clients.delete(client));
  const { pool: connection, ping, tryWrite, abandon } = reconnectingPool(pool, health);
  const { Queue, Worker } = withBackend(createPostgresBackend);
  return {
    health,
    openQueue: (job) => {
      return wrapQueue(() => new Queue<unknown>(queueName(job), { connection, ...queueOptions }), health);
    },
    openBoardQueue: (job) => {
      return keepOpen(() => asBoardQueue(new Queue<unknown>(queueName(job), { connection, ...queueOptions })), health);
    },
    openWorker: (job, process, { concurrency, timing }) => {
      const options = { connection, concurrency, ...workerOptions(timing) };
      return wrapWorker(() => new Worker<unknown>(queueName(job), (todo) => process(todo), options), health);
    },
    ping,
    tryWrite,
    abandon,
    close: async () => {
      abandon();
      const ended = pool.end();
      // A job that never ends holds its connection, and the pool would wait for it for ever. Whoever holds one gives it back
      // when its statement fails: given back here, too, it would be an error that nobody catches.
      await withDeadline(ended, closeMs, 'Closing connections').catch(() => {
        for (const client of clients) void client.end().catch(() => undefined);
      });
    },
  };
}

/** The methods are the same; the library's type of a queue names the backend that it was made for. */
function asBoardQueue(queue: unknown): BoardQueue {
  return queue as BoardQueue;
}

import { createPostgresBackend, withBackend } from 'bullmq';
import { Pool, type PoolClient } from 'pg';
import type { BackendHealth } from './backend-health.ts';
import { queueName, queueOptions, reopening, reopeningQueue, reopeningWorker, workerOptions } from './bullmq.ts';
import { type BoardQueue, type QueueDriver, withDeadline } from './driver.ts';
import { reconnectingPool } from './reconnecting-pool.ts';

/** Each worker of a consumer holds one connection for LISTEN. */
const poolSize = { producer: 3, consumer: 9 };

const closeMs = 500;

// A lost wake-up costs only a second, so commits don't wait for the disk. The rest are PostgreSQL's defaults, which
// BullMQ relies on and the database or user may override.
const settings = String.raw`-c search_path=bullmq,public -c synchronous_commit=off -c lock_timeout=0
  -c default_transaction_isolation=read\ committed -c idle_session_timeout=0`;

/** BullMQ on PostgreSQL: tables in the schema `bullmq`, NOTIFY for new jobs. */
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
    // The pool listens only to idle clients. An error event of another one would end the process; its next statement
    // fails anyway.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => void clients.delete(client));
  const { pool: connection, ping, tryWrite, abandon } = reconnectingPool(pool, health);
  const { Queue, Worker } = withBackend(createPostgresBackend);
  return {
    health,
    openQueue: (job) => {
      return reopeningQueue(() => new Queue<unknown>(queueName(job), { connection, ...queueOptions }), health);
    },
    openBoardQueue: (job) => {
      return reopening(() => asBoardQueue(new Queue<unknown>(queueName(job), { connection, ...queueOptions })), health);
    },
    openWorker: (job, process, { concurrency, timing, isBrief }) => {
      const options = { connection, concurrency, ...workerOptions(timing, isBrief) };
      return reopeningWorker(
        () => new Worker<unknown>(queueName(job), (received) => process(received), options),
        health,
      );
    },
    ping,
    tryWrite,
    abandon,
    close: async () => {
      abandon();
      const ended = pool.end();
      // The pool waits forever for the connection of a hanging job. Its holder releases it when the statement fails; a
      // second release throws.
      await withDeadline(ended, closeMs, 'Closing connections').catch(() => {
        for (const client of clients) void client.end().catch(() => undefined);
      });
    },
  };
}

/** The methods are the same; BullMQ's type includes the type of its backend. */
function asBoardQueue(queue: unknown): BoardQueue {
  return queue as BoardQueue;
}

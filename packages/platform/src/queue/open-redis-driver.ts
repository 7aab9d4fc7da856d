import { Queue, Worker } from 'bullmq';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { BackendHealth } from './backend-health.ts';
import { queueOptions, workerOptions } from './bullmq-options.ts';
import type { QueueTarget } from './parse-queue-url.ts';
import type { QueueDriver } from './queue-driver.ts';
import { queueKeyPrefix, queueName } from './queue-name.ts';
import { keepOpen, wrapQueue, wrapWorker } from './wrap-bullmq.ts';

/**
 * After so long without an answer a connection is given up: one that has fallen silent would be waited for for ever. A
 * consumer asks for a job for up to ten seconds at a time.
 */
const silentMs = { producer: 3_000, consumer: 15_000 };

const reconnectMs = (times: number) => Math.min(50 * times, 1_000);

/**
 * BullMQ on Redis, a Redis Cluster or the master that Redis Sentinels name. A producer's commands fail at once while the connection is away, because nothing
 * is worth waiting for; a consumer's wait for it.
 */
export function openRedisDriver(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
  health: BackendHealth,
): QueueDriver {
  const client = connect(target, role);
  client.on('ready', health.up);
  client.on('close', () => health.down(new Error('The connection to Redis is closed.')));
  client.on('error', health.down);
  const connection = client;
  const prefix = queueKeyPrefix;
  return {
    health,
    openQueue: (job) => {
      const open = () => new Queue<unknown>(queueName(job), { connection, prefix, ...queueOptions });
      return wrapQueue(open, health);
    },
    openBoardQueue: (job) => keepOpen(() => new Queue(queueName(job), { connection, prefix, ...queueOptions }), health),
    openWorker: (job, process, concurrency) => {
      const options = { connection, prefix, concurrency, ...workerOptions };
      return wrapWorker(() => new Worker<unknown>(queueName(job), (todo) => process(todo), options), health);
    },
    ping: async () => void (await client.ping()),
    abandon: () => undefined,
    close: async () => client.disconnect(),
  };
}

export function connect(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
): Redis | Cluster {
  const common = {
    maxRetriesPerRequest: role === 'producer' ? 1 : null,
    connectTimeout: 2_000,
    socketTimeout: silentMs[role],
    keepAlive: 10_000,
    // A master that was deposed answers so; before Redis 7 a script's error has it at its end. Who is it now?
    reconnectOnError: (error: Error) => error.message.includes('READONLY'),
    ...(role === 'producer' ? { commandTimeout: 2_000 } : {}),
  } satisfies RedisOptions;
  const enableOfflineQueue = role === 'consumer';
  if (target.kind === 'redis') {
    return new Redis(target.url, { ...common, enableOfflineQueue, retryStrategy: reconnectMs });
  }
  const { username, password, tls } = target;
  const login = { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
  if (target.kind === 'redis-sentinel') {
    const { sentinelPassword } = target;
    return new Redis({
      ...common,
      ...login,
      ...(tls ? { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
      ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
      sentinels: [...target.nodes],
      name: target.master,
      enableOfflineQueue,
      retryStrategy: reconnectMs,
      sentinelRetryStrategy: reconnectMs,
    });
  }
  return new Cluster([...target.nodes], {
    enableOfflineQueue,
    clusterRetryStrategy: reconnectMs,
    // Certificates name hosts: looked up first, every node would be asked for one of its address.
    ...(tls ? { dnsLookup: (name, done) => done(null, name) } : {}),
    redisOptions: { ...common, ...login, ...(tls ? { tls: {} } : {}) },
  });
}

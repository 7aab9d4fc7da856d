import { Queue, Worker } from 'bullmq';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { BackendHealth } from './backend-health.ts';
import { bindToDatabase } from './bind-to-database.ts';
import { keepOpen, wrapQueue, wrapWorker } from './bullmq.ts';
import { queueOptions, workerOptions } from './bullmq-options.ts';
import type { QueueDriver } from './driver.ts';
import { queueKeyPrefix, queueName } from './queue-name.ts';
import type { QueueTarget } from './queue-url.ts';

/**
 * After so long without an answer a connection is given up: one that has fallen silent would be waited for for ever. A
 * consumer asks for a job for up to ten seconds at a time.
 */
const silentMs = { producer: 3_000, consumer: 15_000 };

/** In the slot of the queues of a Redis Cluster, and under the keys that a login with an ACL has. */
const probeKey = `${queueKeyPrefix}:ready`;
const probeAgainMs = 1_000;

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
  /** Why there is no connection, as far as anybody said. */
  let reason: unknown;
  const down = (error: unknown) => {
    reason = error;
    health.down(error);
  };
  const up = () => {
    reason = undefined;
    health.up();
  };
  const client = connect(target, role, (refusal) => {
    reason = refusal;
  });
  client.on('close', () => health.down(reason ?? new Error('The connection to Redis is closed.')));
  client.on('error', down);
  const tryWrite = async () => void (await client.set(probeKey, '1', 'PX', 1_000));
  whenReady(client, tryWrite, { up, down });
  const connection = client;
  const prefix = queueKeyPrefix;
  return {
    health,
    openQueue: (job) => {
      const open = () => new Queue<unknown>(queueName(job), { connection, prefix, ...queueOptions });
      return wrapQueue(open, health);
    },
    openBoardQueue: (job) => keepOpen(() => new Queue(queueName(job), { connection, prefix, ...queueOptions }), health),
    openWorker: (job, process, { concurrency, timing }) => {
      const options = { connection, prefix, concurrency, ...workerOptions(timing) };
      return wrapWorker(() => new Worker<unknown>(queueName(job), (todo) => process(todo), options), health);
    },
    ping: async () => void (await client.ping()),
    tryWrite: async () => {
      await tryWrite().catch((error: unknown) => {
        health.trouble(error);
        throw error;
      });
    },
    abandon: () => undefined,
    close: async () => client.disconnect(),
  };
}

/** A server that answers is of use when it takes a write: a replica, or one that is full, is asked again and again. */
function whenReady(client: Redis | Cluster, tryWrite: () => Promise<void>, then: Pick<BackendHealth, 'up' | 'down'>) {
  let again: NodeJS.Timeout | undefined;
  const probe = () => {
    clearTimeout(again);
    tryWrite().then(then.up, (error: unknown) => {
      then.down(error);
      if (client.status === 'ready') again = setTimeout(probe, probeAgainMs);
    });
  };
  client.on('ready', probe);
  client.on('close', () => clearTimeout(again));
}

/** `onRefusal` is told why a connection is left for another one. */
export function connect(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
  onRefusal: (error: Error) => void = () => undefined,
): Redis | Cluster {
  const common = {
    maxRetriesPerRequest: role === 'producer' ? 1 : null,
    connectTimeout: 2_000,
    socketTimeout: silentMs[role],
    keepAlive: 10_000,
    // A master that was deposed answers so; before Redis 7 a script's error has it at its end. Who is it now?
    reconnectOnError: (error: Error) => {
      const isReplica = error.message.includes('READONLY');
      if (isReplica) onRefusal(error);
      return isReplica;
    },
    ...(role === 'producer' ? { commandTimeout: 2_000 } : {}),
  } satisfies RedisOptions;
  const enableOfflineQueue = role === 'consumer';
  if (target.kind === 'redis') {
    return bindToDatabase(new Redis(target.url, { ...common, enableOfflineQueue, retryStrategy: reconnectMs }));
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

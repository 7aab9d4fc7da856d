import type { Logger } from '@finhook/runtime';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseQueueUrl, type QueueTarget } from './queue-url.ts';

interface RedisLimits {
  /** The server must send something within this time while a response is outstanding. */
  readonly responseMs: number;
  /** Deadline of a command. */
  readonly commandMs?: number;
}

/** A consumer's blocking command takes up to ten seconds. */
const defaultLimits: Record<'producer' | 'consumer', RedisLimits> = {
  producer: { responseMs: 3_000, commandMs: 2_000 },
  consumer: { responseMs: 15_000 },
};

const reconnectMs = (times: number) => Math.min(50 * times, 1_000);

/**
 * While disconnected, a producer's commands fail at once and a consumer's wait. Commands of a producer that were sent
 * are not repeated, which might add a job twice. `onDemoted` gets the error of a connection whose server is no longer
 * the master.
 */
export function connect(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
  onDemoted: (error: Error) => void = () => undefined,
  limits: RedisLimits = defaultLimits[role],
): Redis | Cluster {
  const common = {
    maxRetriesPerRequest: role === 'producer' ? 0 : null,
    connectTimeout: 2_000,
    socketTimeout: limits.responseMs,
    keepAlive: 10_000,
    // The reply of a demoted master. Before Redis 7 the word is at the end of a script's error.
    reconnectOnError: (error: Error) => {
      const isReplica = error.message.includes('READONLY');
      if (isReplica) onDemoted(error);
      return isReplica;
    },
    ...(limits.commandMs === undefined ? {} : { commandTimeout: limits.commandMs }),
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
  return settleConnects(
    new Cluster([...target.nodes], {
      enableOfflineQueue,
      clusterRetryStrategy: reconnectMs,
      ...(role === 'producer' ? { retryDelayOnFailover: 0 } : {}),
      // Certificates contain host names, so nodes are connected to by name.
      ...(tls ? { dnsLookup: (name, done) => done(null, name) } : {}),
      redisOptions: { ...common, ...login, ...(tls ? { tls: {} } : {}) },
    }),
  );
}

/**
 * The promise of ioredis' `connect()` never settles if the cluster is not whole yet, and a BullMQ worker would wait
 * forever. This resolves it with the retry that succeeds.
 */
function settleConnects(client: Cluster): Cluster {
  const tryConnect = client.connect.bind(client);
  client.connect = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    client.once('ready', resolve);
    tryConnect().then(resolve, reject);
    return promise.finally(() => client.off('ready', resolve));
  };
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...args) => settleConnects(duplicate(...args));
  return client;
}

/**
 * ioredis continues in database 0 when the server rejects SELECT, among jobs of others. This drops such a connection.
 */
function bindToDatabase(client: Redis): Redis {
  client.on('error', (error) => {
    if (isFromSelect(error)) client.disconnect(true);
  });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => bindToDatabase(duplicate(override));
  return client;
}

/** ioredis sends SELECT when it has connected. */
function isFromSelect(error: Error): boolean {
  const command: unknown = Reflect.get(error, 'command');
  return typeof command === 'object' && command !== null && Reflect.get(command, 'name') === 'select';
}

export interface RedisClient {
  readonly client: Redis | Cluster;
  close(): Promise<void>;
}

/** For rate limits; undefined if the queue is on PostgreSQL. Commands fail at once while Redis can't be reached. */
export function createRedisClient(queueUrl: string, { logger }: { readonly logger: Logger }): RedisClient | undefined {
  const target = parseQueueUrl(queueUrl);
  if (target.kind === 'postgres') return undefined;
  const client = connect(target, 'producer');
  // An error event without a listener ends the process. The queue's own connection reports outages.
  client.on('error', (err: unknown) => logger.debug({ err }, 'redis'));
  return { client, close: async () => client.disconnect() };
}

import { Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { BackendHealth } from './backend-health.ts';
import {
  keyPrefix,
  queueName,
  queueOptions,
  reopening,
  reopeningQueue,
  reopeningWorker,
  workerOptions,
} from './bullmq.ts';
import { type QueueDriver, withDeadline } from './driver.ts';
import type { QueueTarget } from './queue-url.ts';
import { connect } from './redis-connection.ts';

/** Under the prefix because a login's ACL may allow no other keys. */
const probeKey = `${keyPrefix}:ready`;
const probeEveryMs = 250;
const probeDeadlineMs = 500;

export function openRedisDriver(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
  health: BackendHealth,
): QueueDriver {
  /** The last error, because the event of a closed connection has none. */
  let lastError: unknown;
  const down = (error: unknown) => {
    lastError = error;
    health.down(error);
  };
  const up = () => {
    lastError = undefined;
    health.up();
  };
  const client = connect(target, role, (error) => {
    lastError = error;
  });
  client.on('close', () => health.down(lastError ?? new Error('The connection to Redis is closed.')));
  client.on('error', down);
  const tryWrite = async () => void (await client.set(probeKey, '1', 'PX', 1_000));
  probeWhileReady(client, tryWrite, { up, down });
  const options = { connection: client, prefix: keyPrefix };
  const openQueue = (name: string) => new Queue(name, { ...options, ...queueOptions });
  return {
    health,
    openQueue: (job) => reopeningQueue(() => openQueue(queueName(job)), health),
    openBoardQueue: (job) => reopening(() => openQueue(queueName(job)), health),
    openWorker: (job, process, { concurrency, timing, isBrief }) => {
      const all = { ...options, concurrency, ...workerOptions(timing, isBrief) };
      return reopeningWorker(() => new Worker<unknown>(queueName(job), (received) => process(received), all), health);
    },
    ping: async () => void (await client.ping()),
    tryWrite: async () => {
      await tryWrite().catch((error: unknown) => {
        health.warn(error);
        throw error;
      });
    },
    abandon: () => undefined,
    close: async () => client.disconnect(),
  };
}

/**
 * A connected server is up while it accepts writes, within half a second: a replica is away, and so is one that is full or
 * does not respond.
 */
function probeWhileReady(
  client: Redis | Cluster,
  tryWrite: () => Promise<void>,
  { up, down }: Pick<BackendHealth, 'up' | 'down'>,
): void {
  let next: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  const probe = () => {
    // One that has no response yet is waited for again.
    writing ??= tryWrite().finally(() => {
      writing = undefined;
    });
    const again = () => {
      clearTimeout(next);
      if (client.status === 'ready') next = setTimeout(probe, probeEveryMs);
    };
    void withDeadline(writing, probeDeadlineMs, 'A write to Redis').then(up, down).finally(again);
  };
  client.on('ready', probe);
  client.on('close', () => clearTimeout(next));
}

import { Queue, Worker } from 'bullmq';
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
import type { QueueDriver } from './driver.ts';
import type { QueueTarget } from './queue-url.ts';
import { connect } from './redis-connection.ts';
import { createWriteProbe } from './write-probe.ts';

/** Below the prefix, because a login's ACL may allow no other keys. */
const probeKey = `${keyPrefix}:ready`;
const probeTimes = { everyMs: 500, slowMs: 500 };

/** With `probes`, a replica or a full server counts as unavailable. */
export function openRedisDriver(
  target: Exclude<QueueTarget, { kind: 'postgres' }>,
  role: 'producer' | 'consumer',
  health: BackendHealth,
  probes: boolean,
): QueueDriver {
  /** The event of a closed connection has no error. */
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
  const tryWrite = async () => void (await client.set(probeKey, '1', 'PX', 1_000));
  const probe = createWriteProbe({ write: tryWrite, health: { up, slow: health.slow, down }, ...probeTimes });
  client.on('ready', probes ? probe.start : up);
  client.on('close', () => {
    probe.stop();
    health.down(lastError ?? new Error('The connection to Redis is closed.'));
  });
  client.on('error', down);
  const options = { connection: client, prefix: keyPrefix };
  const openQueue = (name: string) => new Queue(name, { ...options, ...queueOptions });
  return {
    health,
    openQueue: (job) => reopeningQueue(() => openQueue(queueName(job)), health, probe.observe),
    openBoardQueue: (job) => reopening(() => openQueue(queueName(job)), health),
    openWorker: (job, process, { concurrency, timing, isBrief }) => {
      const all = { ...options, concurrency, ...workerOptions(timing, isBrief) };
      return reopeningWorker(() => new Worker<unknown>(queueName(job), (received) => process(received), all), health);
    },
    ping: async () => void (await client.ping()),
    tryWrite: async () => {
      await probe.observe(tryWrite()).catch((error: unknown) => {
        health.warn(error);
        throw error;
      });
    },
    abandon: () => undefined,
    close: async () => client.disconnect(),
  };
}

import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import type { JobCounts, JobQueue, JobToAdd } from './driver.ts';
import { createJobSchedules } from './job-schedules.ts';
import { openQueueDriver } from './open-driver.ts';
import { createWakeBuffer } from './wake-buffer.ts';
import { withDeadline } from './with-deadline.ts';

/** The queue's backend is away or slow. The wake-up may be lost; the reconciler makes up for it. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

export interface QueueProducer {
  /**
   * Says that these endpoints have something due, now or in `delayMs`. Best effort, within a second. An endpoint has
   * one alarm: a delayed wake-up replaces its earlier one, so pass the time of the first delivery that is due.
   * @throws QueueUnavailableError; log it and go on.
   */
  wake(endpointIds: readonly string[], options?: { readonly delayMs?: number }): Promise<void>;
  /** Says that these sync runs wait to be worked on. Best effort, within a second. @throws QueueUnavailableError */
  startSyncs(runIds: readonly string[]): Promise<void>;
  /** Adds this job every `everyMs`, once however many processes ask for it, until the producer is closed. */
  schedule<N extends JobName>(name: N, everyMs: number, id: string, payload: JobPayload<N>): void;
  /** How many jobs of this kind there are. @throws QueueUnavailableError */
  counts(name: JobName): Promise<JobCounts>;
  /** One round trip within a second: does the backend take what is to be queued? @throws QueueUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const boundMs = 1_000;

// A second poke while the run is worked on is dropped: the run's lease would refuse it.
function toSyncJob(runId: string): JobToAdd {
  const data = jobs['connection.sync'].payload.parse({ run_id: runId });
  return { name: 'sync', data, opts: { deduplication: { id: runId } } };
}

/** Connects to the queue's backend, named by the URL's scheme, in order to add jobs. */
export function createQueueProducer(queueUrl: string, options: { readonly logger: Logger }): QueueProducer {
  const driver = openQueueDriver(queueUrl, 'producer', options.logger);
  const queues = new Map<JobName, JobQueue>();
  const queueOf = (name: JobName): JobQueue => {
    const queue = queues.get(name) ?? driver.openQueue(name);
    queues.set(name, queue);
    return queue;
  };
  const buffer = createWakeBuffer(queueOf('endpoint.deliver'));
  const schedules = createJobSchedules();
  let connectedOnce = false;
  void driver.health.whenUp().then(() => (connectedOnce = true));

  const attempt = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    const first = async () => {
      // Only the first connection is worth a wait: later, "away" is known and said at once.
      if (!connectedOnce) await driver.health.whenUp();
      if (!driver.health.isUp()) throw new Error('The queue is away.');
      return run();
    };
    try {
      return await withDeadline(first(), boundMs, what);
    } catch (cause) {
      throw new QueueUnavailableError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  };

  return {
    wake: (endpointIds, { delayMs = 0 } = {}) => attempt('Waking endpoints', () => buffer.wake(endpointIds, delayMs)),
    startSyncs: (runIds) => attempt('Starting syncs', () => queueOf('connection.sync').addBulk(runIds.map(toSyncJob))),
    schedule: (name, everyMs, id, payload) => {
      const queue = queueOf(name);
      schedules.start(everyMs, id, jobs[name].payload.parse(payload), (job) =>
        attempt('Adding a scheduled job', () => queue.addBulk([job])).catch(driver.health.trouble),
      );
    },
    counts: (name) => attempt('Counting jobs', () => queueOf(name).counts()),
    ping: () => attempt('A ping of the queue', driver.tryWrite),
    close: async () => {
      schedules.stop();
      driver.abandon();
      driver.health.close();
      const closing = Promise.all([...queues.values()].map((queue) => queue.close()));
      await withDeadline(closing, boundMs, 'Closing the queue').catch(driver.health.trouble);
      await driver.close();
    },
  };
}

import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { type BackendHealth, isImpaired } from './backend-health.ts';
import { createDeliverBuffer, type DeliverWork, type EndpointRef } from './deliver-buffer.ts';
import { type JobCounts, type JobQueue, type NewJob, type QueueDriver, withDeadline } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';

/** The job may be lost; the reconciler finds due deliveries. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

export interface QueueProducer {
  /** Hands work to a worker, best effort. @throws QueueUnavailableError, which callers log and ignore */
  deliver(work: DeliverWork): Promise<void>;
  /** Replaces the earlier wake-up, so pass the time of the first due delivery. @throws QueueUnavailableError */
  wakeLater(endpoint: EndpointRef, delayMs: number): Promise<void>;
  /** True if workers are likely to receive hand-offs before their leases end. */
  readonly isAccepting: boolean;
  /** True while the backend can't be reached, rejects writes or is slow. */
  readonly isAway: boolean;
  /** Best effort. @throws QueueUnavailableError */
  startSyncs(runIds: readonly string[]): Promise<void>;
  /** Runs a maintenance task now, in addition to its schedule. @throws QueueUnavailableError */
  startMaintenance(task: string): Promise<void>;
  /** Adds one job per `everyMs` until the producer is closed, however many processes schedule it. */
  schedule<N extends JobName>(name: N, everyMs: number, id: string, payload: JobPayload<N>): void;
  /** @throws QueueUnavailableError */
  counts(name: JobName): Promise<JobCounts>;
  /** Checks that the backend accepts writes. @throws QueueUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const closeMs = 1_000;

function unavailable(cause: unknown): never {
  throw new QueueUnavailableError(cause instanceof Error ? cause.message : String(cause), { cause });
}

// Only one job per run: the run's lease would reject a second one.
function toSyncJob(runId: string): NewJob {
  const data = jobs['connection.sync'].payload.parse({ run_id: runId });
  return { name: 'sync', data, opts: { deduplication: { id: runId } } };
}

function toMaintenanceJob(task: string): NewJob {
  const data = jobs['maintenance.run'].payload.parse({ task });
  return { name: task, data, opts: { deduplication: { id: `now-${task}` } } };
}

// Every process adds the job in each period, and the backend drops all but the first, so no stored schedule can be
// lost. The tenth of a period allows for inexact timers.
function toScheduledJob(id: string, everyMs: number, data: unknown): NewJob {
  return { name: id, data, opts: { deduplication: { id: `schedule-${id}`, ttl: Math.floor(everyMs * 0.9) } } };
}

/** Rejects at once while the backend is unavailable; waits only for the first connection. */
function readiness(health: BackendHealth, timeoutMs: number): () => Promise<void> {
  let connectedOnce = false;
  void health.whenUp().then(() => (connectedOnce = true));
  return async () => {
    if (!connectedOnce) await withDeadline(health.whenUp(), timeoutMs, 'Connecting to the queue');
    if (!health.isUp()) throw new Error('The queue is away.');
  };
}

/** Queues are opened on first use. */
function openQueues(driver: QueueDriver) {
  const queues = new Map<JobName, JobQueue>();
  return {
    queueOf: (name: JobName): JobQueue => {
      const queue = queues.get(name) ?? driver.openQueue(name);
      queues.set(name, queue);
      return queue;
    },
    closeQueues: () => Promise.all([...queues.values()].map((queue) => queue.close())),
  };
}

/** Calls take at most `timeoutMs`, except `deliver`, which also waits for the job before it and for counts of jobs. */
export function createQueueProducer(
  queueUrl: string,
  { logger, timeoutMs = 1_000 }: { readonly logger: Logger; readonly timeoutMs?: number },
): QueueProducer {
  const driver = openQueueDriver(queueUrl, { role: 'producer', logger, probes: true });
  const { queueOf, closeQueues } = openQueues(driver);
  const buffer = createDeliverBuffer(queueOf('deliver'), { health: driver.health, timeoutMs });
  const timers = new Set<NodeJS.Timeout>();
  const ready = readiness(driver.health, timeoutMs);
  const attempt = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    const first = async () => {
      await ready();
      return run();
    };
    return withDeadline(first(), timeoutMs, what).catch(unavailable);
  };

  return {
    deliver: async (work) => {
      try {
        if (!driver.health.isUp()) await ready();
      } catch (error) {
        work.onLost?.();
        return unavailable(error);
      }
      return buffer.add(work).catch(unavailable);
    },
    wakeLater: (endpoint, delayMs) => attempt('Adding a wake-up', () => buffer.wakeLater(endpoint, delayMs)),
    get isAccepting() {
      return driver.health.isUp() && !driver.health.isSlow() && buffer.isAccepting;
    },
    get isAway() {
      return isImpaired(driver.health);
    },
    startSyncs: (runIds) => attempt('Starting syncs', () => queueOf('connection.sync').addBulk(runIds.map(toSyncJob))),
    startMaintenance: (task) =>
      attempt('Starting maintenance', () => queueOf('maintenance.run').addBulk([toMaintenanceJob(task)])),
    schedule: (name, everyMs, id, payload) => {
      const queue = queueOf(name);
      const job = toScheduledJob(id, everyMs, jobs[name].payload.parse(payload));
      const add = () => {
        void attempt('Adding a scheduled job', () => queue.addBulk([job])).catch(driver.health.warn);
      };
      add();
      timers.add(setInterval(add, everyMs).unref());
    },
    counts: (name) => attempt('Counting jobs', () => queueOf(name).counts()),
    ping: () => attempt('A ping of the queue', driver.tryWrite),
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      driver.abandon();
      driver.health.close();
      await withDeadline(closeQueues(), closeMs, 'Closing the queue').catch(driver.health.warn);
      await driver.close();
    },
  };
}

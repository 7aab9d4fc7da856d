import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { type BackendHealth, isImpaired } from './backend-health.ts';
import { createDeliverBuffer, type DeliverWork, type EndpointRef } from './deliver-buffer.ts';
import { type JobCounts, type JobQueue, type NewJob, type QueueDriver, withDeadline } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';

/** The backend is down or slow. The job may be lost; the reconciler finds due deliveries. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

export interface QueueProducer {
  /**
   * Gives work to a worker, best effort: at once, or with what else is added while a job is in flight.
   * @throws QueueUnavailableError, which callers log and ignore
   */
  deliver(work: DeliverWork): Promise<void>;
  /**
   * Has a worker look in `delayMs` whether deliveries of the endpoint are due. A later call replaces it, so pass the time
   * of the first one that is due. @throws QueueUnavailableError
   */
  wakeLater(endpoint: EndpointRef, delayMs: number): Promise<void>;
  /** Whether workers are likely to receive what is given to them before a lease of some seconds ends. */
  readonly isAccepting: boolean;
  /** Whether no job arrives soon because the backend can't be reached, rejects writes or is slow. */
  readonly isAway: boolean;
  /** Wakes a worker for each sync run. Best effort, within a second. @throws QueueUnavailableError */
  startSyncs(runIds: readonly string[]): Promise<void>;
  /** Has a worker run a maintenance task now, beside its schedule. @throws QueueUnavailableError */
  startMaintenance(task: string): Promise<void>;
  /** Adds this job every `everyMs` until the producer is closed: one, however many processes schedule it; none in an outage. */
  schedule<N extends JobName>(name: N, everyMs: number, id: string, payload: JobPayload<N>): void;
  /** @throws QueueUnavailableError */
  counts(name: JobName): Promise<JobCounts>;
  /** Checks within a second that the backend accepts writes. @throws QueueUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const closeMs = 1_000;

function unavailable(cause: unknown): never {
  throw new QueueUnavailableError(cause instanceof Error ? cause.message : String(cause), { cause });
}

// A second wake-up during the run is dropped: the run's lease would reject it.
function toSyncJob(runId: string): NewJob {
  const data = jobs['connection.sync'].payload.parse({ run_id: runId });
  return { name: 'sync', data, opts: { deduplication: { id: runId } } };
}

function toMaintenanceJob(task: string): NewJob {
  const data = jobs['maintenance.run'].payload.parse({ task });
  return { name: task, data, opts: { deduplication: { id: `now-${task}` } } };
}

// Every process adds the job in each period, and the backend drops all but the first: no schedule is stored that would have
// to be repaired after a loss of data. The tenth of the period is for timers that are not exact.
function toScheduledJob(id: string, everyMs: number, data: unknown): NewJob {
  return { name: id, data, opts: { deduplication: { id: `schedule-${id}`, ttl: Math.floor(everyMs * 0.9) } } };
}

/** Rejects at once while the backend is known to be away. Only the first connection is waited for. */
function readiness(health: BackendHealth, timeoutMs: number): () => Promise<void> {
  let connectedOnce = false;
  void health.whenUp().then(() => (connectedOnce = true));
  return async () => {
    if (!connectedOnce) await withDeadline(health.whenUp(), timeoutMs, 'Connecting to the queue');
    if (!health.isUp()) throw new Error('The queue is away.');
  };
}

/** The queues of a driver, opened when they are needed. */
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

/**
 * Connects to the backend that the URL's scheme names. A call takes `timeoutMs` at most, except `deliver`: it also waits
 * for the job before it and for counts of jobs, each at most `timeoutMs`.
 */
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

import { setTimeout as delay } from 'node:timers/promises';
import type { JobName } from '@finhook/contracts';
import type { BackendHealth } from './backend-health.ts';
import { type JobQueue, JobsRejectedError, type JobWorker, type NewJob, type QueueTiming } from './driver.ts';

/** The braces keep all keys in one slot of a Redis Cluster. Unused on PostgreSQL. */
export const keyPrefix = '{finhook}';

export function queueName(job: JobName): string {
  return `finhook-${job.replaceAll('.', '-')}`;
}

/** Removes finished jobs and disables BullMQ's event log. */
export const queueOptions = {
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  streams: { events: { maxLen: 100 } },
};

export function workerOptions({ lockMs, stalledCheckMs }: QueueTiming, isBrief = false) {
  return {
    lockDuration: lockMs,
    stalledInterval: stalledCheckMs,
    skipLockRenewal: isBrief,
    // Long jobs may stall whenever workers die. A brief one is dropped, because it may have been sent; the reconciler
    // finds the rest.
    maxStalledCount: isBrief ? 0 : 1_000_000,
    // Seconds that an idle worker blocks; a new job ends that.
    drainDelay: 2,
    // Wait before reconnecting, in ms. BullMQ's 15 s outlast most restarts.
    runRetryDelay: 500,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}

interface Opened {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface OpenedQueue extends Opened {
  add(name: string, data: unknown, opts: NewJob['opts']): Promise<unknown>;
  addBulk(jobs: NewJob[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
}

/** Calls wait for a ready queue. `observe` gets each write, and settles like it. */
export function reopeningQueue(
  open: () => OpenedQueue,
  health: BackendHealth,
  observe: (writing: Promise<unknown>) => Promise<unknown> = (writing) => writing,
): JobQueue {
  const { ready, close } = reopening(open, health);
  return {
    addBulk: async (jobs) => {
      // One job is a single command; a bulk is a transaction.
      const [first, second] = jobs;
      const isOne = first !== undefined && second === undefined;
      try {
        const queue = await ready();
        await observe(isOne ? queue.add(first.name, first.data, first.opts) : queue.addBulk([...jobs]));
      } catch (error) {
        if (!isOne || !isRejectedByRedis(error)) throw error;
        health.down(error);
        throw new JobsRejectedError('The queue rejected a job.', { cause: error });
      }
    },
    counts: async () => {
      const counts = await (await ready()).getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    close,
  };
}

/** Before Redis 7, the code is at the end of a script's error. */
const rejection = /(?:^|: -)(?:OOM|READONLY|MISCONF) /;

/**
 * True if Redis ran no part of a script: it is full, a replica, or can't write to its disk, which it checks before a
 * script's first write. After another error the job may have been added; of a bulk, some may.
 */
function isRejectedByRedis(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && rejection.test(error.message);
}

export function reopeningWorker(open: () => Opened, health: BackendHealth): JobWorker {
  return { close: reopening(open, health).close };
}

const reopenMs = 250;

interface Reopening<T> {
  readonly current: () => T;
  readonly ready: () => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Replaces a queue or worker that failed to become ready: BullMQ remembers the failure and never retries. */
export function reopening<T extends Opened>(open: () => T, health: BackendHealth): Reopening<T> {
  const closing = new AbortController();
  const { signal } = closing;
  let current: T;
  const start = async (): Promise<T> => {
    for (;;) {
      const opened = open();
      current = opened;
      opened.on('error', health.warn);
      try {
        await opened.waitUntilReady();
        return opened;
      } catch (error) {
        signal.throwIfAborted();
        health.warn(error);
        opened.close().catch(health.warn);
        await delay(reopenMs, undefined, { signal });
      }
    }
  };
  const started = start();
  // Callers get the rejection; a worker has no caller.
  started.catch(() => undefined);
  return {
    current: () => current,
    ready: () => started,
    close: async () => {
      closing.abort(new Error('The queue is being closed.'));
      await current.close();
    },
  };
}

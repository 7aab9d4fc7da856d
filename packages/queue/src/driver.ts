import type { JobName } from '@finhook/contracts';
import type { Queue } from 'bullmq';
import type { BackendHealth } from './backend-health.ts';

/** Rejects after `ms` and then ignores `promise`. A response that arrived while the process was busy is in time. */
export function withDeadline<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`${what} took longer than ${ms} ms.`));
    const timer = setTimeout(() => setImmediate(late), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The backend stored none of the jobs. After any other error it may have. */
export class JobsRejectedError extends Error {
  override readonly name = 'JobsRejectedError';
}

/** The connections of a process to the queue's backend. Opening never waits and never fails. */
export interface QueueDriver {
  readonly health: BackendHealth;
  readonly openQueue: (job: JobName) => JobQueue;
  readonly openBoardQueue: (job: JobName) => ReopeningQueue;
  openWorker(job: JobName, process: (job: ReceivedJob) => Promise<void>, options: JobWorkerOptions): JobWorker;
  readonly ping: () => Promise<void>;
  readonly tryWrite: () => Promise<void>;
  /** Stops waiting for an unavailable backend, so that queues and workers can be closed. */
  readonly abandon: () => void;
  readonly close: () => Promise<void>;
}

export interface JobQueue {
  /** @throws JobsRejectedError */
  readonly addBulk: (jobs: readonly NewJob[]) => Promise<void>;
  readonly counts: () => Promise<JobCounts>;
  readonly close: () => Promise<void>;
}

export interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: {
    readonly delay?: number;
    readonly deduplication?: {
      readonly id: string;
      readonly ttl?: number;
      readonly replace?: boolean;
      readonly keepLastIfActive?: boolean;
    };
  };
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

export type BoardQueue = Queue;

/** `current` changes when a queue that failed to become ready is replaced. */
interface ReopeningQueue {
  readonly current: () => BoardQueue;
  readonly close: () => Promise<void>;
}

export interface JobWorker {
  readonly close: () => Promise<void>;
}

export interface ReceivedJob {
  readonly name: string;
  readonly data: unknown;
}

interface JobWorkerOptions {
  readonly concurrency: number;
  readonly timing: QueueTiming;
  /** Its handler returns at once: a lock is never renewed, and the job of a dead worker is dropped. */
  readonly isBrief?: boolean;
}

export interface QueueTiming {
  /** Time until the job of a dead worker is taken over or dropped. BullMQ renews the locks of running handlers. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
}

export const defaultQueueTiming: QueueTiming = { lockMs: 6_000, stalledCheckMs: 3_000 };

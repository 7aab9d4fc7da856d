import type { JobName } from '@finhook/contracts';
import type { Queue } from 'bullmq';
import type { BackendHealth } from './backend-health.ts';
import type { QueueTiming } from './bullmq-options.ts';

export interface JobToAdd {
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobOptions;
}

interface JobOptions {
  readonly delay?: number;
  readonly deduplication: {
    readonly id: string;
    readonly ttl?: number;
    readonly replace?: boolean;
    readonly keepLastIfActive?: boolean;
  };
}

export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** The part of a BullMQ queue that we use; the same for all backends. */
export interface JobQueue {
  readonly addBulk: (jobs: readonly JobToAdd[]) => Promise<void>;
  readonly counts: () => Promise<JobCounts>;
  readonly close: () => Promise<void>;
}

export interface JobToDo {
  readonly name: string;
  readonly data: unknown;
}

interface JobWorkerOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  readonly timing: QueueTiming;
}

export interface JobWorker {
  /** Takes no more jobs and resolves when those at hand are done. */
  readonly close: () => Promise<void>;
}

/** The library's own queue, on whatever backend. */
export type BoardQueue = Queue;

/** A queue that is replaced when it failed to get ready. */
interface KeptQueue {
  readonly current: () => BoardQueue;
  readonly close: () => Promise<void>;
}

/** One backend of the queue, with the connections of one process. Opening never waits and never fails. */
export interface QueueDriver {
  readonly health: BackendHealth;
  readonly openQueue: (job: JobName) => JobQueue;
  /** The same, for somebody who looks at the jobs. */
  readonly openBoardQueue: (job: JobName) => KeptQueue;
  openWorker(job: JobName, process: (job: JobToDo) => Promise<void>, options: JobWorkerOptions): JobWorker;
  /** One round trip. Rejects when the backend doesn't answer. */
  readonly ping: () => Promise<void>;
  /** The same, and rejects as well when the backend doesn't take what is to be queued. */
  readonly tryWrite: () => Promise<void>;
  /** Gives up waiting for a backend that is away, so that what is open can be closed. */
  readonly abandon: () => void;
  readonly close: () => Promise<void>;
}

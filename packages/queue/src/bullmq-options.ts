/** Jobs are wake-ups: nobody reads them once they are done, or the library's event log ever. */
export const queueOptions = {
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  streams: { events: { maxLen: 100 } },
};

/** How long the queue waits, in ms. */
export interface QueueTiming {
  /**
   * Bounds how long the jobs of a killed worker keep their endpoints asleep. Locks are renewed while the event loop
   * turns, however long a handler takes.
   */
  readonly lockMs: number;
  /** How often jobs are looked for whose lock has ended. */
  readonly stalledCheckMs: number;
}

export const defaultQueueTiming: QueueTiming = { lockMs: 6_000, stalledCheckMs: 3_000 };

const fixedWorkerOptions = {
  // A job may stall as often as workers die.
  maxStalledCount: 1_000_000,
  // Seconds of blocking when idle; a new job ends the wait at once.
  drainDelay: 2,
  // Milliseconds before a worker asks again after its connection failed; the default of 15 s outlasts most restarts.
  runRetryDelay: 500,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

export function workerOptions({ lockMs, stalledCheckMs }: QueueTiming) {
  return { ...fixedWorkerOptions, lockDuration: lockMs, stalledInterval: stalledCheckMs };
}

import { defaultQueueTiming, type QueueTiming } from '@finhook/queue';

/** How long the worker waits, in ms. Tests run it with shorter times. */
export interface Timing {
  /** A lease outlives a request's timeout by this: claims wait for their turn and results for their record. */
  readonly leaseMarginMs: number;
  /** Kept back from the lease for recording the result. */
  readonly recordMarginMs: number;
  /**
   * A connection to the database is given up when its work is not over so long before a lease would end: what waits
   * behind one that is unresponsive would stand still.
   */
  readonly silenceMarginMs: number;
  /** How long a slice begins requests. */
  readonly sliceMs: number;
  /** How often the reconciler looks for what is due, and how late that has to be: before, a wake-up is on its way. */
  readonly reconcileMs: number;
  readonly heartbeatMs: number;
  /** How long closing waits for what is under way. */
  readonly closeMs: number;
  readonly queue: QueueTiming;
}

export const defaultTiming: Timing = {
  leaseMarginMs: 10_000,
  recordMarginMs: 2_000,
  silenceMarginMs: 5_000,
  sliceMs: 5_000,
  reconcileMs: 1_000,
  heartbeatMs: 5_000,
  closeMs: 8_000,
  queue: defaultQueueTiming,
};

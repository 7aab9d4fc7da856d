import { defaultQueueTiming, type QueueTiming } from '@finhook/queue';

/** The worker's intervals and timeouts, in ms; tests use shorter ones. */
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
  /** Time in which a slice begins requests. */
  readonly sliceMs: number;
  /** The poll interval of the reconciler, and how late work has to be: until then its wake-up may still arrive. */
  readonly reconcileMs: number;
  readonly heartbeatMs: number;
  /** Time that a close waits for work in flight. */
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

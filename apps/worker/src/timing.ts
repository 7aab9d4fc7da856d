import { defaultQueueTiming, type QueueTiming } from '@finhook/queue';

/** The worker's intervals and timeouts, in ms; tests use shorter ones. */
export interface Timing {
  /** Of claims and extended leases: what a worker held when it died is free then. Hand-offs begin with a shorter one. */
  readonly leaseMs: number;
  /** Leases are looked at so often. */
  readonly extendMs: number;
  /** A hand-off that is older is given back: its lease might end before the request. */
  readonly handOffMs: number;
  /** How long a record that nobody waits for is gathered with others. */
  readonly gatherMs: number;
  /** A connection to the database is given up when its work takes longer: what waits behind it would stand still. */
  readonly databaseMs: number;
  /** The poll interval of the reconciler, and how late work has to be: until then its job may still arrive. */
  readonly reconcileMs: number;
  /** The poll interval of the reconciler while the queue is away, when no job arrives. */
  readonly reconcileAwayMs: number;
  /** The poll interval of the replayer while there are no replays; a new one begins within it. */
  readonly replayMs: number;
  /**
   * How long after the first failures of its streak a failure is recorded that makes the endpoint failing: those of other
   * endpoints on the same host are recorded before.
   */
  readonly noticeMs: number;
  readonly heartbeatMs: number;
  /** Time that a close waits for work in flight. */
  readonly closeMs: number;
  readonly queue: QueueTiming;
}

export const defaultTiming: Timing = {
  leaseMs: 10_000,
  extendMs: 500,
  handOffMs: 1_500,
  gatherMs: 40,
  databaseMs: 20_000,
  reconcileMs: 1_000,
  reconcileAwayMs: 250,
  replayMs: 500,
  noticeMs: 2_000,
  heartbeatMs: 5_000,
  closeMs: 8_000,
  queue: defaultQueueTiming,
};

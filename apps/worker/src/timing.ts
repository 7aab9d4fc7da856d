import { defaultQueueTiming, type QueueTiming } from '@finhook/queue';

/** The worker's intervals and timeouts, in ms; tests use shorter ones. */
export interface Timing {
  /** Length of a claim's lease. After it, others may claim a dead worker's deliveries. Hand-offs start with a shorter one. */
  readonly leaseMs: number;
  /** Interval between lease checks. */
  readonly extendMs: number;
  /** Maximum age of a hand-off. An older one is released, because its lease might end before the request. */
  readonly handOffMs: number;
  /** Maximum wait of a record for others of its batch. */
  readonly gatherMs: number;
  /** Deadline of database work; its connection is destroyed then, because others wait for it. */
  readonly databaseMs: number;
  /** Poll interval of the reconciler, and how overdue a delivery must be; until then its job may still arrive. */
  readonly reconcileMs: number;
  /** Poll interval of the reconciler while the queue is unavailable. */
  readonly reconcileAwayMs: number;
  /** Poll interval of the replayer while there are no replays. */
  readonly replayMs: number;
  /**
   * Delay before an endpoint is called failing, so that the first failures of others on its host are recorded before.
   */
  readonly noticeMs: number;
  readonly heartbeatMs: number;
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

import { defaultTiming, type Timing } from '../src/timing.ts';

/** Short waits, in which a busy machine still records what it sent. */
export const quickTiming: Timing = {
  ...defaultTiming,
  leaseMs: 4_000,
  databaseMs: 6_000,
  reconcileMs: 250,
  heartbeatMs: 250,
  closeMs: 2_000,
  queue: { lockMs: 2_000, stalledCheckMs: 1_000 },
};
/** A request's timeout. */
export const quickTimeoutMs = 4_000;

import { defaultTiming, type Timing } from '../src/timing.ts';

/** Short waits that still suffice on a busy machine. */
export const quickTiming: Timing = {
  ...defaultTiming,
  leaseMs: 4_000,
  extendMs: 100,
  databaseMs: 6_000,
  reconcileMs: 100,
  reconcileAwayMs: 100,
  replayMs: 50,
  noticeMs: 200,
  heartbeatMs: 100,
  closeMs: 2_000,
  queue: { lockMs: 2_000, stalledCheckMs: 1_000 },
};
/** For worker processes: several run at the same time, and polls cost processor time. */
export const processTiming: Timing = {
  ...quickTiming,
  extendMs: 500,
  reconcileMs: 250,
  reconcileAwayMs: 250,
  replayMs: 500,
  heartbeatMs: 250,
};
export const quickTimeoutMs = 4_000;

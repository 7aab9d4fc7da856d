import { defaultTiming, type Timing } from '../src/timing.ts';

/** Short waits, in which a busy machine still records what it sent. */
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
/** Of worker processes: several run at once, and each poll costs the others processor time. */
export const processTiming: Timing = {
  ...quickTiming,
  extendMs: 500,
  reconcileMs: 250,
  reconcileAwayMs: 250,
  replayMs: 500,
  heartbeatMs: 250,
};
/** A request's timeout. */
export const quickTimeoutMs = 4_000;

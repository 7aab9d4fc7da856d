import { defaultTiming, type Timing } from '../src/timing.ts';

/** Short waits, in which a busy machine still records what it sent. */
export const quickTiming: Timing = {
  ...defaultTiming,
  leaseMarginMs: 3_000,
  recordMarginMs: 1_000,
  silenceMarginMs: 1_500,
  sliceMs: 1_000,
  reconcileMs: 250,
  heartbeatMs: 250,
  closeMs: 2_000,
  queue: { lockMs: 2_000, stalledCheckMs: 1_000 },
};
/** A request's timeout. With it a lease ends after seven seconds. */
export const quickTimeoutMs = 4_000;

import type { SignatureRefusal } from './signature-refusal-hints.ts';

/** The clock of the receiver and how far a delivery's timestamp may be from it. */
export interface TimestampWindow {
  /** Unix seconds, may have a fraction. */
  readonly now: number;
  /** Seconds to either side; 300 (5 minutes) when absent. */
  readonly toleranceSeconds?: number | undefined;
}

/**
 * Says why a timestamp is outside the window, or undefined when it is inside; the edges are inside. Throws RangeError
 * when the window itself is not made of finite numbers, because every comparison with NaN would let a replay pass.
 */
export function checkTimestamp(timestamp: number, window: TimestampWindow): SignatureRefusal | undefined {
  const { now, toleranceSeconds = 300 } = window;
  if (!Number.isFinite(now)) throw new RangeError('now must be finite unix seconds');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new RangeError('toleranceSeconds must be finite and not negative');
  }
  if (now - timestamp > toleranceSeconds) return 'timestamp_too_old';
  if (timestamp - now > toleranceSeconds) return 'timestamp_in_future';
  return undefined;
}

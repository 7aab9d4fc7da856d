const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The wait before each of the ten attempts in ms: the example schedule of Standard Webhooks 1.0.0, 75 h in all. */
export const retryScheduleMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** How many attempts a delivery gets unless it says otherwise. */
export const defaultMaxAttempts = retryScheduleMs.length;

const jitter = 0.2;

export type RetryTiming = {
  /** Multiplies every wait (never a timeout); 1 in production. */
  readonly scale: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The wait before each attempt in ms, the first one's included; `retryScheduleMs` when absent. */
  readonly schedule?: readonly number[] | undefined;
};

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1), with ±20 % jitter so that deliveries which
 * failed together do not return together. Beyond the schedule its last step repeats.
 */
export function nextDelayMs({ attempt, scale, random, schedule }: RetryTiming & { readonly attempt: number }): number {
  const steps = schedule ?? retryScheduleMs;
  const step = steps[Math.min(attempt, steps.length - 1)] ?? 0;
  return Math.round(step * scale * (1 - jitter + 2 * jitter * random()));
}

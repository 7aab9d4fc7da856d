/** Where the current time comes from; injected so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** Clocks differ by a little; what lies further ahead is a typo. */
export const CLOCK_SKEW_MS = 5 * 60_000;

export const systemClock: Clock = { now: () => new Date() };

/** RFC 3339 in UTC with milliseconds, from what PostgreSQL prints for a `timestamptz`. */
export function toTimestamp(value: string): string {
  return new Date(value).toISOString();
}

/** The same for a column that may be empty. */
export function toNullableTimestamp(value: string | null): string | null {
  return value === null ? null : toTimestamp(value);
}

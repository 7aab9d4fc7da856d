export interface Clock {
  now(): Date;
}

/** Tolerance between clocks. Later times are typos. */
export const CLOCK_SKEW_MS = 5 * 60_000;

export const systemClock: Clock = { now: () => new Date() };

/** Converts the `timestamptz` text of PostgreSQL to RFC 3339 in UTC with milliseconds. */
export function toTimestamp(value: string): string {
  return new Date(value).toISOString();
}

export function toNullableTimestamp(value: string | null): string | null {
  return value === null ? null : toTimestamp(value);
}

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

/** The calendar date at `moment` in an IANA time zone, as `YYYY-MM-DD`. */
export function dateInZone(moment: Date, timeZone: string): string {
  // The Swedish locale writes ISO 8601 dates.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  );
}

/** The date `days` after `date` (both `YYYY-MM-DD`). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Calendar days from `start` to `end` (both `YYYY-MM-DD`); negative when `end` is earlier. */
export function daysBetween(start: string, end: string): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000;
}

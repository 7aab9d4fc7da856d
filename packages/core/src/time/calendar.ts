import type { FieldError, Warning } from '@finhook/contracts';

/** Calendar arithmetic of one IANA time zone; instants are milliseconds since the epoch. */
export interface Zone {
  name: string;
  /** The local wall clock at an instant, in milliseconds as if it were UTC. */
  wallClock(instant: number): number;
  /**
   * The first instant at which the wall clock shows `wall`. Inside the gap of a clock change: the same distance after
   * its start.
   */
  instantOf(wall: number): number;
  dayOf(instant: number): string;
}

const DAY = 86_400_000;

/** Creating the formatter is expensive: reuse the zone for many instants. */
export function openZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  function wallClock(instant: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  }
  const offsetAt = (instant: number): number => wallClock(instant) - instant;
  return {
    name,
    wallClock,
    instantOf(wall) {
      // One of the offsets a day before and a day after applies.
      const candidates = [wall - offsetAt(wall - DAY), wall - offsetAt(wall + DAY)].sort((a, b) => a - b);
      return candidates.find((instant) => wallClock(instant) >= wall) ?? Math.max(...candidates);
    },
    dayOf: (instant) => new Date(wallClock(instant)).toISOString().slice(0, 10),
  };
}

/** Latest accepted date, in days from today. Leaves room for scheduled rows; later dates are typos. */
const MAX_DAYS_AHEAD = 366;
/** The same for plans and terms, which may run for years. */
export const MAX_PLAN_DAYS_AHEAD = 3660;
const EARLIEST = '1970-01-01';

export interface DayLimits {
  latest: string;
}

export function dayLimits(now: Date, daysAhead = MAX_DAYS_AHEAD): DayLimits {
  return { latest: addDays(now.toISOString().slice(0, 10), daysAhead) };
}

export function checkDay(pointer: string, day: string, { latest }: DayLimits): FieldError | undefined {
  if (day >= EARLIEST && day <= latest) return undefined;
  return { pointer, code: 'date_out_of_range', message: `must lie between ${EARLIEST} and ${latest}; got ${day}` };
}

export function checkMoment(pointer: string, at: Date, limits: DayLimits): FieldError | undefined {
  // Years outside 0000 to 9999 have a sign, which sorts outside the limits.
  return checkDay(pointer, at.toISOString().slice(0, 10), limits);
}

/** The end of tomorrow in the zone: rows may be posted a day early. */
export function dueUntil(zone: Zone, today: string): number {
  return zone.instantOf(Date.parse(addDays(today, 2)));
}

export function futureWarning(pointer: string, day: string): Warning {
  return {
    code: 'future_date',
    pointer,
    message: `${day} lies in the future: stored, and left out of today's figures until then.`,
  };
}

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

/** Calendar days from `start` to `end` (both `YYYY-MM-DD`). */
export function daysBetween(start: string, end: string): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000;
}

/**
 * SQL: the first instant at which clocks in `zone` show the timestamp `local`. PostgreSQL takes the second one of a
 * repeated hour ("Date/Time Key Words", Appendix B).
 */
export function firstInstantSql(local: string, zone: string): string {
  return `least((${local}) AT TIME ZONE ${zone}, (${local} - interval '1 hour') AT TIME ZONE ${zone} + interval '1 hour')`;
}

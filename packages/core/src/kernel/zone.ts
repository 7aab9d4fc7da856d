/** Calendar arithmetic of one IANA time zone; instants are milliseconds since the epoch. */
export interface Zone {
  name: string;
  /** The local wall clock at an instant, as the milliseconds that it would be in UTC. */
  wallClock(instant: number): number;
  /**
   * The first instant whose wall clock shows `wall`; in a gap of summer time, where none does, as far behind the gap's
   * beginning as `wall` is.
   */
  instantOf(wall: number): number;
  /** The local calendar day at an instant, `YYYY-MM-DD`. */
  dayOf(instant: number): string;
}

const DAY = 86_400_000;

/** Opens a time zone; making the formatter is the expensive part, so use one for many instants. */
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
      // The offsets a day before and after: one of the two holds at the moment, whatever happens in between.
      const candidates = [wall - offsetAt(wall - DAY), wall - offsetAt(wall + DAY)].sort((a, b) => a - b);
      return candidates.find((instant) => wallClock(instant) >= wall) ?? Math.max(...candidates);
    },
    dayOf: (instant) => new Date(wallClock(instant)).toISOString().slice(0, 10),
  };
}

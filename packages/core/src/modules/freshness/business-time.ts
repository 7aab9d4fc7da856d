import type { Zone } from '../../kernel/calendar.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [OPENS, CLOSES] = [8 * HOUR, 18 * HOUR];

/** Milliseconds between two instants within business hours (Monday to Friday, 08:00 to 18:00 local). */
export function businessTime(zone: Zone, from: number, to: number): number {
  const dayOf = (instant: number): number => Math.floor(zone.wallClock(instant) / DAY);
  const [first, last] = [dayOf(from), dayOf(to)];
  const within = (day: number): number => {
    if (!isWorkday(day)) return 0;
    const opens = Math.max(zone.instantOf(day * DAY + OPENS), from);
    const closes = Math.min(zone.instantOf(day * DAY + CLOSES), to);
    return Math.max(0, closes - opens);
  };
  if (last <= first) return within(first);
  // Clocks change at night or on Sundays, so the business hours of a whole workday have a constant length.
  return within(first) + workdaysBetween(first + 1, last) * (CLOSES - OPENS) + within(last);
}

/** Day 0 is 1 January 1970, a Thursday. */
function isWorkday(day: number): boolean {
  return (((day + 3) % 7) + 7) % 7 < 5;
}

/** Workdays from `start` until the day before `end`: five per whole week, plus the remaining days. */
function workdaysBetween(start: number, end: number): number {
  const weeks = Math.floor((end - start) / 7);
  let workdays = weeks * 5;
  for (let day = start + weeks * 7; day < end; day++) if (isWorkday(day)) workdays++;
  return workdays;
}

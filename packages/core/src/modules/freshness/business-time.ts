import type { Zone } from '../../kernel/zone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days that are looked at one by one; what lies before them counts as time off. */
const MAX_DAYS = 60;

/** Milliseconds between two instants that lie in business hours (Monday to Friday, 08:00 to 18:00 local). */
export function businessTime(zone: Zone, from: number, to: number): number {
  const start = Math.max(from, to - MAX_DAYS * DAY);
  const firstDay = Math.floor(zone.wallClock(start) / DAY) * DAY;
  const lastDay = zone.wallClock(to);
  let total = 0;
  for (let day = firstDay; day <= lastDay; day += DAY) {
    const weekday = new Date(day).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const opens = Math.max(zone.instantOf(day + 8 * HOUR), start);
    const closes = Math.min(zone.instantOf(day + 18 * HOUR), to);
    total += Math.max(0, closes - opens);
  }
  return total;
}

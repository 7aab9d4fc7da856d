import { wallTime } from './format-time.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The zone's UTC offset at a timestamp, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(ms, zone);
  const wall = Date.parse(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return wall - Math.floor(ms / 1000) * 1000;
}

/**
 * Converts a datetime field (`2026-03-01T09:30`) to UTC. A repeated time means its first occurrence; a skipped one moves
 * past the gap.
 */
export function instantOf(local: string, zone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/.test(local)) return undefined;
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return undefined;
  const before = wall - offsetAt(wall - DAY_MS, zone);
  const after = wall - offsetAt(wall + DAY_MS, zone);
  const fits = [before, after].filter((ms) => ms + offsetAt(ms, zone) === wall);
  return new Date(fits.length > 0 ? Math.min(...fits) : before).toISOString();
}

export function localOf(iso: string, zone: string): string {
  const ms = Date.parse(iso);
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);
}

export function todayIn(zone: string): string {
  return localOf(new Date().toISOString(), zone).slice(0, 10);
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one day to another; negative if that is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/**
 * The first instant of a day (`YYYY-MM-DD`) in an IANA zone, or of the day `after` days later; undefined if invalid. If
 * clocks skip midnight, the first instant that exists.
 */
export function dayStart(day: string, zone: string, after = 0): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`) + after * DAY_MS;
  if (Number.isNaN(midnight)) return undefined;
  // Offsets on both sides of a clock change: each candidate is checked against the zone's local time.
  const starts = [midnight - DAY_MS, midnight, midnight + DAY_MS].map((near) => midnight - offsetAt(near, zone));
  const shows = (ms: number): number => ms + offsetAt(ms, zone);
  const exact = starts.filter((ms) => shows(ms) === midnight);
  if (exact.length > 0) return new Date(Math.min(...exact)).toISOString();
  let first = Math.min(...starts);
  while (shows(first) < midnight) first += MINUTE_MS;
  return new Date(first).toISOString();
}

/** The default zone of a new company: the browser's, if its name has the form that the service requires. */
export function offeredZone(zone: string): string {
  return zone.includes('/') ? zone : 'UTC';
}

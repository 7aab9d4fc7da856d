const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Milliseconds that the zone is ahead of UTC at a moment. */
function offsetAt(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms);
  const at = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return wall - Math.floor(ms / 1000) * 1000;
}

/**
 * The moment (RFC 3339, UTC) at which clocks of the zone show a local time such as `2026-03-01T09:30`, as a date and
 * time field gives it. A time that comes twice is its first; one that is skipped is as much after the gap.
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

/** The local time of the zone at a moment, to the minute, as a date and time field takes it. */
export function localOf(iso: string, zone: string): string {
  const ms = Date.parse(iso);
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);
}

/** Today's calendar day (`YYYY-MM-DD`) in a zone. */
export function todayIn(zone: string): string {
  return localOf(new Date().toISOString(), zone).slice(0, 10);
}

/** `days` after a calendar day. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The first moment of a calendar day (`YYYY-MM-DD`) in an IANA zone, as the API takes it; `after` days later. Where
 * clocks skip midnight, the day begins with the first moment that there is. Undefined for what is no such day.
 */
export function dayStart(day: string, zone: string, after = 0): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`) + after * DAY_MS;
  if (Number.isNaN(midnight)) return undefined;
  // Offsets on both sides of any change of the clocks: each candidate is checked by what the zone's clocks show then.
  const starts = [midnight - DAY_MS, midnight, midnight + DAY_MS].map((near) => midnight - offsetAt(near, zone));
  const shows = (ms: number): number => ms + offsetAt(ms, zone);
  const exact = starts.filter((ms) => shows(ms) === midnight);
  if (exact.length > 0) return new Date(Math.min(...exact)).toISOString();
  let first = Math.min(...starts);
  while (shows(first) < midnight) first += MINUTE_MS;
  return new Date(first).toISOString();
}

/** The zone that a new company's field begins with: the browser's, where its name has a place as the service requires. */
export function offeredZone(zone: string): string {
  return zone.includes('/') ? zone : 'UTC';
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function aheadMs(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((found) => found.type === type)?.value ?? 0);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(ms / 1000) * 1000;
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
  const starts = [midnight - DAY_MS, midnight, midnight + DAY_MS].map((near) => midnight - aheadMs(near, zone));
  const shows = (ms: number): number => ms + aheadMs(ms, zone);
  const exact = starts.filter((ms) => shows(ms) === midnight);
  if (exact.length > 0) return new Date(Math.min(...exact)).toISOString();
  let first = Math.min(...starts);
  while (shows(first) < midnight) first += MINUTE_MS;
  return new Date(first).toISOString();
}

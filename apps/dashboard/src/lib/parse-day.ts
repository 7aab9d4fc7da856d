import { formatDay, monthOf } from './format-time.ts';
import { instantOf, localOf } from './zoned-time.ts';

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const WRITTEN = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})$/i;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const INSTANT = /^([\d-]+[T ]\d\d:\d\d)(?::[0-5]\d(?:[.,]\d+)?)? ?(?:(Z)|([+-]\d\d):?(\d\d)?)$/i;

/** `2026-11-26` of that, or of `26 Nov 2026`. Undefined if it is neither, or no day of the calendar. */
export function parseDay(text: string): string | undefined {
  const words = text.trim().replaceAll(/\s+/g, ' ');
  const [, year, number, day] = ISO.exec(words) ?? [];
  const [, written, name = '', ofYear] = WRITTEN.exec(words) ?? [];
  const month = number?.padStart(2, '0') ?? monthOf(name);
  if (month === undefined) return undefined;
  const found = `${year ?? ofYear}-${month}-${(day ?? written ?? '').padStart(2, '0')}`;
  const at = new Date(`${found}T00:00:00Z`);
  // 31 February would be a day in March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(found) ? found : undefined;
}

/** `2026-11-26T16:33` of that, of `26 Nov 2026, 16:33`, or of an instant like `2026-11-26T16:33:20Z`, which logs have. */
export function parseTime(text: string, zone: string): string | undefined {
  const [, wall, utc, hours = '', minutes = '00'] = INSTANT.exec(text.trim()) ?? [];
  if (wall === undefined) return localTime(text);
  const written = localTime(wall);
  const ms = Date.parse(utc === undefined ? `${written}${hours}:${minutes}` : `${written}Z`);
  if (Number.isNaN(ms)) return undefined;
  const [instant, local] = [new Date(ms).toISOString(), localOf(new Date(ms).toISOString(), zone)];
  // If the zone has an hour twice, the field means the first.
  return instantOf(local, zone) === instant ? local : undefined;
}

function localTime(text: string): string | undefined {
  const [, before = '', clock = ''] = /^(.*?)(?:T|,?\s+)(\S+)$/i.exec(text.trim()) ?? [];
  const day = parseDay(before);
  const [, hour = '', minute = ''] = CLOCK.exec(clock) ?? [];
  return day === undefined || hour === '' ? undefined : `${day}T${hour.padStart(2, '0')}:${minute}`;
}

/** `26 Nov 2026` or `26 Nov 2026, 16:33`, which the functions above read again. */
export function shownDate(value: string): string {
  const [day = '', clock] = value.split('T');
  return clock === undefined ? formatDay(day) : `${formatDay(day)}, ${clock.slice(0, 5)}`;
}

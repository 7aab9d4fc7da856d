/** Like `2 Mar 2026, 14:05 GMT+13`. Names the zone: the company's, or UTC on pages of the account. */
export function formatInstant(iso: string, zone: string, seconds = false): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
    timeZoneName: 'short',
    timeZone: zone,
  }).format(new Date(iso));
}

/** Like `26 Nov, 16:33`, with the year if it is not the current one. */
export function formatShort(iso: string, zone: string, now = Date.now()): string {
  const yearOf = (at: Date): string => new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: zone }).format(at);
  const at = new Date(iso);
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(yearOf(at) !== yearOf(new Date(now)) && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(at);
}

/** The place of a zone: `New York`. */
export function zoneName(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

export function instantTitle(iso: string, zone: string): string {
  return `${formatInstant(iso, zone, true)} (${zone})\n${iso}`;
}

const MOMENT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

export function withLocalTimes(text: string, zone: string): string {
  return text.replace(MOMENT, (iso) => formatInstant(iso, zone, true));
}

export function formatDay(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `26 Nov`. */
export function formatShortDay(iso: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone }).format(new Date(iso));
}

/** `14:05:09`. */
export function formatClock(iso: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: zone }).format(new Date(iso));
}

export function formatMonth(month: string): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

const steps: ReadonlyArray<[unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function formatAgo(iso: string, now: number): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

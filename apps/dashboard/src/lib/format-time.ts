const MONTHS = [
  ['Jan', 'January'],
  ['Feb', 'February'],
  ['Mar', 'March'],
  ['Apr', 'April'],
  ['May', 'May'],
  ['Jun', 'June'],
  ['Jul', 'July'],
  ['Aug', 'August'],
  // `Sept` in British English.
  ['Sep', 'September'],
  ['Oct', 'October'],
  ['Nov', 'November'],
  ['Dec', 'December'],
] as const;

const monthName = (month: string, isLong = false): string => MONTHS[Number(month) - 1]?.[isLong ? 1 : 0] ?? month;

/** The two digits of a month's name, or of its first three letters or more. */
export function monthOf(name: string): string | undefined {
  const at = name.length < 3 ? -1 : MONTHS.findIndex(([, long]) => long.toLowerCase().startsWith(name.toLowerCase()));
  return at === -1 ? undefined : String(at + 1).padStart(2, '0');
}

/** The parts of a time on the clocks of a zone; all but the year have two digits. */
type WallTime = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'timeZoneName', string>;

/** Making one takes as long as formatting some hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  clocks.set(zone, clock);
  return clock;
}

export function wallTime(at: number | string, zone: string): WallTime {
  const time: WallTime = { year: '', month: '', day: '', hour: '', minute: '', second: '', timeZoneName: '' };
  for (const { type, value } of clockOf(zone).formatToParts(new Date(at))) if (type in time) time[asPart(type)] = value;
  return time;
}

function asPart(type: string): keyof WallTime {
  return type as keyof WallTime;
}

const dayOf = ({ day, month }: WallTime): string => `${Number(day)} ${monthName(month)}`;
const minuteOf = ({ hour, minute }: WallTime): string => `${hour}:${minute}`;

/** Like `2 Mar 2026, 14:05 GMT+13`. Names the zone: the company's, or UTC on pages of the account. */
export function formatInstant(iso: string, zone: string, seconds = false): string {
  const time = wallTime(iso, zone);
  return `${dayOf(time)} ${time.year}, ${minuteOf(time)}${seconds ? `:${time.second}` : ''} ${time.timeZoneName}`;
}

/** Like `26 Nov, 16:33`, with the year if it is not the current one. */
export function formatShort(iso: string, zone: string, now = Date.now()): string {
  const time = wallTime(iso, zone);
  const year = time.year === wallTime(now, zone).year ? '' : ` ${time.year}`;
  return `${dayOf(time)}${year}, ${minuteOf(time)}`;
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
  const [year = '', month = '', number = ''] = day.split('-');
  return `${Number(number)} ${monthName(month)} ${year}`;
}

/** `21–27 Nov 2026`, `30 Oct–2 Nov 2026`, or one day. */
export function formatDays(from: string, to: string): string {
  if (from === to) return formatDay(to);
  const [day = '', month = '', year = ''] = formatDay(from).split(' ');
  const same =
    from.slice(0, 7) === to.slice(0, 7)
      ? day
      : from.slice(0, 4) === to.slice(0, 4)
        ? `${day} ${month}`
        : `${day} ${month} ${year}`;
  return `${same}–${formatDay(to)}`;
}

/** `26 Nov`. */
export function formatShortDay(iso: string, zone: string): string {
  return dayOf(wallTime(iso, zone));
}

/** `14:05:09`. */
export function formatClock(iso: string, zone: string): string {
  const time = wallTime(iso, zone);
  return `${minuteOf(time)}:${time.second}`;
}

export function formatMonth(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${monthName(number)} ${year}`;
}

/** `October 2026`. */
export function formatLongMonth(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${monthName(number, true)} ${year}`;
}

/** The zone of the browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

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
  return relative.format(Math.trunc(seconds / size), unit);
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

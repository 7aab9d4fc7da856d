import { formatCount } from '../../../../lib/format-number.ts';
import { formatShort, formatShortDay } from '../../../../lib/format-time.ts';
import type { Outputs } from '../../../../lib/trpc.ts';
import { localOf } from '../../../../lib/zoned-time.ts';
import { DAY_MS, HOUR_MS, type Search, type Time, WEEK_MS } from './filters.view.ts';

export type Hour = Outputs['deliveries']['counts']['hours'][number];

/** Full hours, in ms. */
export interface Window {
  from: number;
  to: number;
}

/** The first and the last selected hour of a window. */
export type Brush = readonly [first: number, last: number];

const endOfHour = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

/**
 * The hours to draw: the last day or the last seven days, if the selected time is within; else the seven days around it,
 * or its last ones. It does not follow the brush, whose handles would move otherwise.
 */
export function windowOf({ range }: Search, { from, to }: Time, now: number): Window {
  const end = endOfHour(now);
  const isDay = range === 'day' || range === 'hour';
  const near = { from: end - (isDay ? DAY_MS : WEEK_MS), to: end };
  const last = Math.min(to ?? end, end);
  const first = from ?? last - WEEK_MS;
  // A preset begins within the first hour of its window.
  if (first > near.from - HOUR_MS) return near;
  if (first > end - WEEK_MS - HOUR_MS) return { from: end - WEEK_MS, to: end };
  const centred = endOfHour(first + (last - first) / 2 + WEEK_MS / 2);
  const until = last - first > WEEK_MS ? endOfHour(last) : Math.min(end, centred);
  return { from: until - WEEK_MS, to: until };
}

export const hoursIn = ({ from, to }: Window): number => Math.round((to - from) / HOUR_MS);

/** Undefined if the time covers the whole window. */
export function brushOf(window: Window, { from, to }: Time): Brush | undefined {
  const end = hoursIn(window) - 1;
  const at = (hour: number): number => Math.min(Math.max(hour, 0), end);
  const first = from === undefined ? 0 : at(Math.floor((from - window.from) / HOUR_MS));
  const last = to === undefined ? end : at(Math.ceil((to - window.from) / HOUR_MS) - 1);
  return first === 0 && last === end ? undefined : [first, Math.max(first, last)];
}

/** The URL parameters of a brush; none for the whole window. */
export function searchOfBrush(window: Window, [first, last]: Brush): Search {
  if (first === 0 && last === hoursIn(window) - 1) return { from: undefined, to: undefined };
  const at = (hour: number): string => new Date(window.from + hour * HOUR_MS).toISOString();
  return { from: at(first), to: at(last + 1) };
}

type Sums = Omit<Hour, 'hour'>;

export const totalOf = (sums: Sums): number => sums.succeeded + sums.waiting + sums.failed + sums.cancelled;

export function sumOf(hours: readonly Hour[]): Sums {
  const sum = (name: keyof Sums): number => hours.reduce((total, hour) => total + hour[name], 0);
  return { succeeded: sum('succeeded'), waiting: sum('waiting'), failed: sum('failed'), cancelled: sum('cancelled') };
}

export function sumsText(sums: Sums): string {
  const parts = (['succeeded', 'waiting', 'failed', 'cancelled'] as const)
    .filter((name) => sums[name] > 0)
    .map((name) => `${formatCount(sums[name])} ${name}`);
  return parts.length === 0 ? 'no deliveries' : parts.join(', ');
}

/** The counts for each hour of the window: the service may have counted from a later hour on. */
export function hoursOf(window: Window, counted: readonly Hour[]): Hour[] {
  const byHour = new Map(counted.map((hour) => [Date.parse(hour.hour), hour]));
  return Array.from({ length: hoursIn(window) }, (_, i) => {
    const at = window.from + i * HOUR_MS;
    const none = { hour: new Date(at).toISOString(), succeeded: 0, waiting: 0, failed: 0, cancelled: 0 };
    return byHour.get(at) ?? none;
  });
}

/** `26 Nov, 14:00 to 17:00`. */
export function brushText(window: Window, [first, last]: Brush, zone: string): string {
  const at = (hour: number): string =>
    formatShort(new Date(window.from + hour * HOUR_MS).toISOString(), zone, window.to);
  const [from, to] = [at(first), at(last + 1)];
  const [day, time] = to.split(', ');
  return `${from} to ${from.startsWith(`${day},`) ? time : to}`;
}

interface Tick {
  hour: number;
  text: string;
}

const TICK_HOURS = 6;

/** Days, or every sixth hour of a single day, in local time. */
export function ticksOf(window: Window, zone: string): Tick[] {
  const isDay = hoursIn(window) * HOUR_MS <= DAY_MS;
  return Array.from({ length: hoursIn(window) }, (_, hour) => {
    const iso = new Date(window.from + hour * HOUR_MS).toISOString();
    const local = localOf(iso, zone).slice(11);
    const isTick = Number(local.slice(0, 2)) % (isDay ? TICK_HOURS : 24) === 0;
    return isTick ? [{ hour, text: isDay ? local : formatShortDay(iso, zone) }] : [];
  }).flat();
}

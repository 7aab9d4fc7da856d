// Risk: the brush selects another time than the bars under it show, or jumps while it is moved.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, timeOf, WEEK_MS } from './filters.view.ts';
import {
  type Brush,
  brushOf,
  brushText,
  hoursIn,
  hoursOf,
  searchOfBrush,
  sumOf,
  sumsText,
  ticksOf,
  windowOf,
} from './histogram.view.ts';

const now = Date.parse('2026-11-28T10:15:00.000Z');
const end = Date.parse('2026-11-28T11:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const windowFor = (search: Record<string, string>) => windowOf(search, timeOf(search, now), now);

test.each([
  ['no range', {}, end - WEEK_MS, end],
  ['the last hour', { range: 'hour' }, end - DAY_MS, end],
  ['the last 24 hours', { range: 'day' }, end - DAY_MS, end],
  ['the last 7 days', { range: 'week' }, end - WEEK_MS, end],
  ['a brush within a day', { range: 'day', from: iso(end - 3 * HOUR_MS) }, end - DAY_MS, end],
  ['a brush within 7 days', { from: iso(end - 5 * DAY_MS), to: iso(end - 4 * DAY_MS) }, end - WEEK_MS, end],
  ['hours before the day', { range: 'day', from: iso(end - 3 * DAY_MS) }, end - WEEK_MS, end],
  ['a longer time', { from: iso(end - 40 * DAY_MS), to: iso(end - 20 * DAY_MS) }, end - 27 * DAY_MS, end - 20 * DAY_MS],
  ['a time with an open start', { to: iso(end - 20 * DAY_MS) }, end - 27 * DAY_MS, end - 20 * DAY_MS],
])('the window of %s', (_, search, from, to) => {
  expect(windowFor(search)).toEqual({ from, to });
});

test('an older time is in the middle of seven days of full hours', () => {
  const [from, to] = [end - 30 * DAY_MS, end - 29 * DAY_MS];
  const window = windowFor({ from: iso(from), to: iso(to) });
  expect([hoursIn(window), window.from % HOUR_MS]).toEqual([168, 0]);
  expect(from - window.from).toBe(window.to - to);
});

test('a brush is the time that the URL has for it, and the window stays where it is', () => {
  const window = windowFor({ range: 'day' });
  for (const brush of [
    [0, 0],
    [3, 7],
    [23, 23],
  ] satisfies Brush[]) {
    const { from = '', to = '' } = searchOfBrush(window, brush);
    const search = { range: 'day', from, to };
    expect(windowFor(search)).toEqual(window);
    expect(brushOf(window, timeOf(search, now))).toEqual(brush);
  }
});

test('the whole window has no brush and no time of its own', () => {
  const window = windowFor({ range: 'day' });
  expect(searchOfBrush(window, [0, 23])).toEqual({ from: undefined, to: undefined });
  expect(brushOf(window, timeOf({ range: 'day' }, now))).toBeUndefined();
  expect(brushOf(window, timeOf({ range: 'hour' }, now))).toEqual([22, 23]);
});

const hour = (at: number, part: object = {}) => ({
  hour: iso(at),
  succeeded: 0,
  waiting: 0,
  failed: 0,
  cancelled: 0,
  ...part,
});

test('hours that were not counted are empty, and sums name only what there is', () => {
  const window = { from: end - 3 * HOUR_MS, to: end };
  const hours = hoursOf(window, [hour(end - HOUR_MS, { succeeded: 1_200, failed: 3 })]);
  expect(hours.map(({ succeeded }) => succeeded)).toEqual([0, 0, 1_200]);
  expect(sumsText(sumOf(hours))).toBe('1,200 succeeded, 3 failed');
  expect(sumsText(sumOf(hours.slice(0, 2)))).toBe('no deliveries');
});

test('times and ticks are local', () => {
  const window = { from: Date.parse('2026-11-27T12:00:00Z'), to: Date.parse('2026-11-28T12:00:00Z') };
  expect(brushText(window, [0, 2], 'UTC')).toBe('27 Nov, 12:00 to 15:00');
  expect(brushText(window, [0, 12], 'UTC')).toBe('27 Nov, 12:00 to 28 Nov, 01:00');
  expect(ticksOf(window, 'Asia/Kolkata').map(({ text }) => text)).toEqual(['18:30', '00:30', '06:30', '12:30']);
  expect(ticksOf({ ...window, from: window.from - DAY_MS }, 'UTC')).toEqual([
    { hour: 12, text: '27 Nov' },
    { hour: 36, text: '28 Nov' },
  ]);
});

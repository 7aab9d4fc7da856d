// Risk: a reader takes a time for another, because its time zone is missing.
// Risk: a duration is off by a factor of sixty or a thousand.
import { expect, test } from 'vitest';
import {
  formatDay,
  formatDays,
  formatDuration,
  formatInstant,
  formatLongMonth,
  formatMonth,
  formatShort,
  instantTitle,
  withLocalTimes,
  zoneName,
} from './format-time.ts';

test.each([
  ['Pacific/Auckland', '23 Nov 2026, 02:46 GMT+13'],
  ['America/New_York', '22 Nov 2026, 08:46 GMT-5'],
  ['UTC', '22 Nov 2026, 13:46 UTC'],
])('a moment in %s says its zone', (zone, text) => {
  expect(formatInstant('2026-11-22T13:46:09.190Z', zone)).toBe(text);
});

test('a tooltip names the zone beside the local time, and UTC beside the UTC time', () => {
  expect(instantTitle('2026-11-22T13:46:09.190Z', 'America/New_York')).toBe(
    '22 Nov 2026, 08:46:09 GMT-5 (America/New_York)\n2026-11-22T13:46:09.190Z',
  );
});

test('a time can include its seconds', () => {
  expect(formatInstant('2026-11-22T13:46:09.190Z', 'UTC', true)).toBe('22 Nov 2026, 13:46:09 UTC');
});

test('a message of the service shows its timestamps in the zone of the page', () => {
  const message = 'Attempt 1 failed (timeout). Next attempt at 2026-11-22T13:46:09.190Z.';
  expect(withLocalTimes(message, 'Pacific/Auckland')).toBe(
    'Attempt 1 failed (timeout). Next attempt at 23 Nov 2026, 02:46:09 GMT+13.',
  );
  expect(withLocalTimes('Waiting for the first attempt.', 'UTC')).toBe('Waiting for the first attempt.');
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 0 s'],
  [185_400, '3 min 5 s'],
])('%i ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

test('a short time is in the zone, with the year if it is another one there', () => {
  const now = Date.parse('2026-01-01T03:00:00Z');
  expect(formatShort('2026-01-01T02:33:00Z', 'UTC', now)).toBe('1 Jan, 02:33');
  expect(formatShort('2026-01-01T02:33:00Z', 'America/New_York', now)).toBe('31 Dec, 21:33');
  expect(formatShort('2025-12-31T02:33:00Z', 'UTC', now)).toBe('31 Dec 2025, 02:33');
  expect(['America/New_York', 'America/Argentina/Buenos_Aires', 'UTC'].map(zoneName)).toEqual([
    'New York',
    'Buenos Aires',
    'UTC',
  ]);
});

test('September has three letters in times, days and months', () => {
  expect(formatInstant('2026-09-02T04:05:06Z', 'UTC')).toBe('2 Sep 2026, 04:05 UTC');
  expect([formatDay('2026-09-02'), formatMonth('2026-09'), formatLongMonth('2026-09')]).toEqual([
    '2 Sep 2026',
    'Sep 2026',
    'September 2026',
  ]);
});

test('a range of days names the month and the year once where they are the same', () => {
  const days = (from: string) => formatDays(from, '2026-11-27');
  expect(['2026-11-21', '2026-10-30', '2025-12-30', '2026-11-27'].map(days)).toEqual([
    '21–27 Nov 2026',
    '30 Oct–27 Nov 2026',
    '30 Dec 2025–27 Nov 2026',
    '27 Nov 2026',
  ]);
});

test('midnight is 00:00, and the year of a time is that of its zone', () => {
  expect(formatInstant('2027-01-01T00:00:00Z', 'UTC')).toBe('1 Jan 2027, 00:00 UTC');
  expect(formatInstant('2027-01-01T00:00:00Z', 'America/New_York')).toBe('31 Dec 2026, 19:00 GMT-5');
});

// Risk: a typed date is read as another one, or an impossible one is sent.
import { expect, test } from 'vitest';
import { parseDay, parseTime, shownDate } from './parse-day.ts';

test.each(['2026-11-26', '26 Nov 2026', '26 nov 2026', ' 26  November 2026 ', '26 Nov. 2026', '26 Nov, 2026'])(
  '%s is a day',
  (text) => {
    expect(parseDay(text)).toBe('2026-11-26');
  },
);

test.each([
  ['3 Sept 2026', '2026-09-03'],
  ['1 May 2026', '2026-05-01'],
  ['29 Feb 2028', '2028-02-29'],
  ['2026-1-2', '2026-01-02'],
])('%s is %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

// 03/04/2026 is March in one country and April in another.
test.each([
  '',
  '03/04/2026',
  '31 Feb 2026',
  '29 Feb 2026',
  '2026-13-01',
  '26 No 2026',
  '26 Novem 2026 x',
  'Nov 26 2026',
  '26 Nov 26',
  '0 Nov 2026',
  // Its day depends on the zone.
  '2026-11-26T16:33:20Z',
])('%j is no day', (text) => {
  expect(parseDay(text)).toBeUndefined();
});

test.each(['2026-11-26T16:33', '26 Nov 2026, 16:33', '2026-11-26 16:33', '26 November 2026 16:33'])(
  '%s is a time',
  (text) => {
    expect(parseTime(text, 'UTC')).toBe('2026-11-26T16:33');
  },
);

test.each([
  ['2026-11-26T16:33:20Z', 'UTC', '2026-11-26T16:33'],
  ['2026-11-26T16:33:20.123456Z', 'America/New_York', '2026-11-26T11:33'],
  ['2026-11-26t16:33z', 'Asia/Kolkata', '2026-11-26T22:03'],
  [' 2026-11-26 16:33:20+02:00 ', 'UTC', '2026-11-26T14:33'],
  ['2026-11-26T23:33:20-0500', 'UTC', '2026-11-27T04:33'],
  ['2026-11-26T16:33:20,5+01', 'UTC', '2026-11-26T15:33'],
  ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01T01:30'],
])('the instant %s is in %s %s', (text, zone, time) => {
  expect(parseTime(text, zone)).toBe(time);
});

// New York has the hour from 05:00Z again from 06:00Z.
test.each([
  '2026-11-01T06:30:00Z',
  '2026-02-31T16:33:20Z',
  '2026-11-26T24:33:20Z',
  '2026-11-26T16:33+99:00',
  '2026-11-26Z',
])('%j is no instant that a field in New York can show', (text) => {
  expect(parseTime(text, 'America/New_York')).toBeUndefined();
});

test.each(['26 Nov 2026', '26 Nov 2026, 24:00', '26 Nov 2026, 16:60', '16:33', '31 Feb 2026, 16:33', ''])(
  '%j is no time',
  (text) => {
    expect(parseTime(text, 'UTC')).toBeUndefined();
  },
);

test('what is shown is read as the same date', () => {
  expect(shownDate('2026-09-06')).toBe('6 Sep 2026');
  expect(parseDay(shownDate('2026-09-06'))).toBe('2026-09-06');
  expect(shownDate('2026-09-06T04:05')).toBe('6 Sep 2026, 04:05');
  expect(parseTime(shownDate('2026-09-06T04:05'), 'UTC')).toBe('2026-09-06T04:05');
});

// Risk: a recovery starts at the wrong hour, because of the browser's time zone or a clock change.
// Risk: a day filter omits or adds hours, because the company's day differs from that of the browser or UTC.
import { timeZone } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { dayStart, daysBetween, instantOf, localOf, offeredZone } from './zoned-time.ts';

test.each([
  ['2026-03-01T09:30', 'UTC', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30', 'America/New_York', '2026-03-01T14:30:00.000Z'],
  ['2026-07-01T09:30', 'America/New_York', '2026-07-01T13:30:00.000Z'],
  ['2026-03-01T09:30:15', 'Asia/Kolkata', '2026-03-01T04:00:15.000Z'],
  ['2026-03-01T00:30', 'Pacific/Kiritimati', '2026-02-28T10:30:00.000Z'],
  // Clocks go from 02:00 to 03:00: this time does not exist.
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  // Clocks go back from 02:00 to 01:00: this time comes twice.
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01T02:30', 'America/New_York', '2026-11-01T07:30:00.000Z'],
  ['', 'UTC', undefined],
  ['2026-03-01', 'UTC', undefined],
])('%s in %s is %s', (local, zone, instant) => expect(instantOf(local, zone)).toBe(instant));

test.each(['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Berlin'])(
  '%s: local time converts to UTC and back',
  (zone) => {
    for (let hour = 0; hour < 24 * 365; hour += 31) {
      const iso = new Date(Date.UTC(2026, 0, 1, hour, 0)).toISOString();
      const local = localOf(iso, zone);
      expect(localOf(instantOf(local, zone) ?? '', zone)).toBe(local);
    }
  },
);

test('a zone is offered only if the service accepts its name', () => {
  expect(offeredZone('Europe/Brussels')).toBe('Europe/Brussels');
  for (const zone of ['CET', 'IST', 'EST5EDT', 'Japan', ...Intl.supportedValuesOf('timeZone')])
    expect(timeZone.safeParse(offeredZone(zone)).success, zone).toBe(true);
});

test.each([
  ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02', 'America/Los_Angeles', '2026-03-02T08:00:00.000Z'],
  ['2026-03-02', 'Asia/Kolkata', '2026-03-01T18:30:00.000Z'],
  ['2026-03-02', 'Pacific/Kiritimati', '2026-03-01T10:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, start) => {
  expect(dayStart(day, zone)).toBe(start);
});

test('a day with a clock change starts with the old offset and ends with the new one', () => {
  expect(dayStart('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
  expect(dayStart('2026-03-08', 'America/New_York', 1)).toBe('2026-03-09T04:00:00.000Z');
  expect(dayStart('2026-11-01', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
  expect(dayStart('2026-11-01', 'America/New_York', 1)).toBe('2026-11-02T05:00:00.000Z');
});

test('if clocks skip midnight, the day starts at the first instant that exists', () => {
  // Beirut, 29 March 2026: 00:00 became 01:00.
  expect(dayStart('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z');
});

test('if midnight occurs twice, the day starts at the first', () => {
  // Havana, 1 November 2026: 01:00 became 00:00.
  expect(dayStart('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z');
});

test('an invalid day has no start, and the service rejects it', () => {
  expect(dayStart('2026-13-40', 'UTC')).toBeUndefined();
  expect(dayStart('yesterday', 'UTC')).toBeUndefined();
});

test('days between two days are calendar days, over the end of a month and backwards', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2);
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2);
  expect(daysBetween('2026-03-01', '2026-03-01')).toBe(0);
});

// Risk: a day filter omits or adds hours, because the company's day differs from that of the browser or UTC.
import { expect, test } from 'vitest';
import { dayStart } from './zoned-time.ts';

test.each([
  ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02', 'America/Los_Angeles', '2026-03-02T08:00:00.000Z'],
  ['2026-03-02', 'Asia/Kolkata', '2026-03-01T18:30:00.000Z'],
  ['2026-03-02', 'Pacific/Kiritimati', '2026-03-01T10:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, start) => {
  expect(dayStart(day, zone)).toBe(start);
});

test('a day on which the clocks change begins by the old time and ends by the new one', () => {
  expect(dayStart('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
  expect(dayStart('2026-03-08', 'America/New_York', 1)).toBe('2026-03-09T04:00:00.000Z');
  expect(dayStart('2026-11-01', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
  expect(dayStart('2026-11-01', 'America/New_York', 1)).toBe('2026-11-02T05:00:00.000Z');
});

test('where the clocks skip midnight the day begins with the first moment that there is', () => {
  // Beirut, 29 March 2026: 00:00 became 01:00.
  expect(dayStart('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z');
});

test('where midnight comes twice the day begins with the first', () => {
  // Havana, 1 November 2026: 01:00 became 00:00.
  expect(dayStart('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z');
});

test('what is no day stays for the service to refuse', () => {
  expect(dayStart('2026-13-40', 'UTC')).toBeUndefined();
  expect(dayStart('yesterday', 'UTC')).toBeUndefined();
});

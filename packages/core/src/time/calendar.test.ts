// Risk: a day or month starts at another instant than on the company's wall clock, so rows move to the neighbouring
// one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openZone } from './calendar.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['UTC', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00.000Z'],
  ['America/New_York', '2026-03-01T00:00:00Z', '2026-03-01T05:00:00.000Z'],
  ['America/New_York', '2026-04-01T00:00:00Z', '2026-04-01T04:00:00.000Z'],
  ['Asia/Kolkata', '2026-03-01T00:00:00Z', '2026-02-28T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-03-01T00:00:00Z', '2026-02-28T10:00:00.000Z'],
  // No midnight on this day: the clock goes from 23:59:59 to 01:00.
  ['America/Sao_Paulo', '2018-11-04T00:00:00Z', '2018-11-04T03:00:00.000Z'],
  // Midnight occurs twice on this day: the first counts.
  ['America/Havana', '2025-11-02T00:00:00Z', '2025-11-02T04:00:00.000Z'],
])('%s: %s on the wall is %s', (name, wall, instant) => {
  expect(iso(openZone(name).instantOf(Date.parse(wall)))).toBe(instant);
});

const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Casablanca'];

test('the first instant of a day belongs to it, and the millisecond before to an earlier day', () => {
  const opened = zones.map(openZone);
  fc.assert(
    fc.property(fc.constantFrom(...opened), fc.integer({ min: 0, max: 20_000 }), (zone, number) => {
      const midnight = number * 86_400_000;
      const start = zone.instantOf(midnight);
      const day = iso(midnight).slice(0, 10);
      expect(zone.dayOf(start)).toBe(day);
      expect(zone.dayOf(start - 1) < day).toBe(true);
    }),
    { numRuns: 300 },
  );
});

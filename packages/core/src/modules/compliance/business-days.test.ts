// Risk: a due date is on a day on which nothing can be filed, or a day later than the law requires.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysBetween } from '../../time/calendar.ts';
import { isDayOff, nextBusinessDay, taxHolidays, weekday } from './business-days.ts';

test.each([
  [
    2026,
    '2026-01-01 2026-01-19 2026-02-16 2026-04-16 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-10-12 ' +
      '2026-11-11 2026-11-26 2026-12-25 2027-01-01',
  ],
  [
    2027,
    '2027-01-01 2027-01-18 2027-02-15 2027-04-16 2027-05-31 2027-06-18 2027-07-05 2027-09-06 2027-10-11 ' +
      '2027-11-11 2027-11-25 2027-12-24 2027-12-31',
  ],
])('the tax holidays of %i are kept on the days of the official calendar', (year, days) => {
  expect(taxHolidays(year)).toEqual(days.split(' '));
});

test.each([
  ['2016-04-15', '2016-04-18', 'Emancipation Day, a Saturday, is kept on Friday the 15th'],
  ['2017-04-15', '2017-04-18', 'a Saturday; Emancipation Day, a Sunday, is kept on Monday'],
  ['2022-04-15', '2022-04-18', 'Emancipation Day is kept on Friday the 15th'],
  ['2023-04-15', '2023-04-18', 'a Saturday; Emancipation Day is kept on Monday'],
  ['2024-04-15', '2024-04-15', 'a Monday'],
  ['2025-03-15', '2025-03-17', 'a Saturday'],
  ['2026-01-31', '2026-02-02', 'a Saturday'],
  ['2027-07-04', '2027-07-06', 'a Sunday; Independence Day is kept on Monday'],
  ['2021-12-31', '2022-01-03', "New Year's Day, a Saturday, is kept on the day before"],
])('what is due on %s is due on %s: %s', (nominal, day) => {
  expect(nextBusinessDay(nominal)).toBe(day);
});

const day = fc.integer({ min: 0, max: 365 * 120 }).map((days) => addDays('1986-01-01', days));

test('the next business day is not off, not earlier, and all days between are off', () => {
  fc.assert(
    fc.property(day, (date) => {
      const next = nextBusinessDay(date);
      expect(isDayOff(next)).toBe(false);
      expect([1, 2, 3, 4, 5]).toContain(weekday(next));
      const skipped = daysBetween(date, next);
      expect(skipped).toBeGreaterThanOrEqual(0);
      expect(skipped).toBeLessThanOrEqual(4);
      for (let i = 0; i < skipped; i++) expect(isDayOff(addDays(date, i))).toBe(true);
    }),
  );
});

// Risk: a period selects other days than it says, or the days of a period are shown as another one.
import { expect, test } from 'vitest';
import { daysOf, daysOfMonths, monthAfter, monthCount, periodOf, periods } from './periods.ts';

test.each([
  ['2026-11-28', 'this_month', '2026-11-01', '2026-11-30'],
  ['2026-11-28', 'last_month', '2026-10-01', '2026-10-31'],
  ['2026-11-28', 'last_quarter', '2026-07-01', '2026-09-30'],
  ['2026-11-28', 'year_to_date', '2026-01-01', '2026-11-28'],
  ['2026-01-31', 'last_month', '2025-12-01', '2025-12-31'],
  ['2026-03-31', 'last_quarter', '2025-10-01', '2025-12-31'],
  ['2026-04-01', 'last_quarter', '2026-01-01', '2026-03-31'],
  ['2028-02-01', 'this_month', '2028-02-01', '2028-02-29'],
] as const)('on %s, %s is from %s to %s', (today, period, from, to) => {
  expect(daysOf(period, today)).toEqual({ from, to });
});

test('the days of a period are recognized, and others are custom', () => {
  const today = '2026-11-28';
  for (const period of periods) {
    const { from, to } = daysOf(period, today);
    expect(periodOf(from, to, today)).toBe(period);
  }
  expect(periodOf('2026-11-01', undefined, today)).toBe('custom');
  expect(periodOf('2026-11-02', '2026-11-30', today)).toBe('custom');
  expect(periodOf(undefined, undefined, today)).toBeUndefined();
});

test.each([
  ['2026-11', 2, '2027-01'],
  ['2026-01', -1, '2025-12'],
])('%s and %i months is %s', (month, months, expected) => expect(monthAfter(month, months)).toBe(expected));

test('months are counted with both ends, and have the days of all of them', () => {
  expect(['2026-12', '2027-01', '2027-12'].map((last) => monthCount('2026-12', last))).toEqual([1, 2, 13]);
  expect(daysOfMonths('2027-12', '2028-02')).toEqual({ from: '2027-12-01', to: '2028-02-29' });
});

// Risk: burn is averaged over an incomplete month.
import { expect, test } from 'vitest';
import { burnWindow, coverageStart } from './months.ts';

test.each([
  ['no transactions', undefined, undefined, undefined],
  ['the month after the first transaction', '2026-01-01', undefined, '2026-02'],
  ['the first whole month of the promised history', '2026-01-20', '2025-11-02', '2025-12'],
  ['a history that begins with a month', '2026-01-20', '2025-11-01', '2025-11'],
])('coverage starts with %s', (_, firstDay, historyFrom, expected) => {
  expect(coverageStart({ firstDay, historyFrom })).toBe(expected);
});

test('the window is the last three complete months inside the coverage', () => {
  expect(burnWindow('2026-03-15', '2025-01')).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(burnWindow('2026-03-15', '2026-02')).toEqual(['2026-02']);
  expect(burnWindow('2026-03-31', '2026-03')).toEqual([]);
  expect(burnWindow('2026-03-15', undefined)).toEqual([]);
});

// Risk: a period has a month too many or too few, or another one where the company's day differs from that of UTC.
import { describe, expect, test } from 'vitest';
import { localOf } from '../../lib/zoned-time.ts';
import { knownRange, monthsSince, rangeOf, spokenMonths, trendRange } from './period.view.ts';

describe('the months of a period', () => {
  test.each([
    ['this_month', '2026-11-30', '2026-11', '2026-11'],
    ['last_month', '2026-11-01', '2026-10', '2026-10'],
    ['last_month', '2026-01-31', '2025-12', '2025-12'],
    ['last_month', '2024-03-31', '2024-02', '2024-02'],
    ['last_quarter', '2026-01-01', '2025-10', '2025-12'],
    ['last_quarter', '2026-03-31', '2025-10', '2025-12'],
    ['last_quarter', '2026-04-01', '2026-01', '2026-03'],
    ['last_quarter', '2026-12-31', '2026-07', '2026-09'],
    ['last_12_months', '2026-11-28', '2025-11', '2026-10'],
    ['last_12_months', '2024-02-29', '2023-02', '2024-01'],
    ['unknown', '2026-11-28', '2026-10', '2026-10'],
    [undefined, '2026-11-28', '2026-10', '2026-10'],
  ])('%s on %s are %s to %s', (period, today, from, to) => {
    expect(rangeOf({ period }, today)).toEqual({ from, to });
  });

  test.each([
    [{ from: '2026-02', to: '2026-05' }, '2026-02', '2026-05'],
    [{ from: '2026-02' }, '2026-02', '2026-02'],
    [{ to: '2026-05' }, '2026-05', '2026-05'],
    [{}, '2026-10', '2026-10'],
    // As they are typed.
    [{ from: '2026-02', to: '2026-1' }, '2026-02', '2026-02'],
    [{ from: '2026-13', to: '2026-05' }, '2026-05', '2026-05'],
    [{ from: '202', to: '' }, '2026-10', '2026-10'],
  ])('%j, a custom period, are %s to %s', (given, from, to) => {
    expect(rangeOf({ period: 'custom', ...given }, '2026-11-28')).toEqual({ from, to });
  });

  test.each([
    // In the last minute of October in New York it is November in UTC.
    ['2026-11-01T03:59:00Z', 'America/New_York', '2026-09'],
    ['2026-11-01T04:00:00Z', 'America/New_York', '2026-10'],
    ['2026-10-31T10:59:00Z', 'Pacific/Auckland', '2026-09'],
    ['2026-10-31T11:00:00Z', 'Pacific/Auckland', '2026-10'],
    ['2024-03-01T04:59:00Z', 'America/New_York', '2024-01'],
  ])('at %s the last month of a company in %s is %s', (now, zone, month) => {
    expect(rangeOf({}, localOf(now, zone).slice(0, 10))).toEqual({ from: month, to: month });
  });
});

test.each([
  ['2026-11-28', '2026-10', '2025-11'],
  // The service knows 60 months.
  ['2026-11-28', '2022-03', '2021-12'],
])('on %s the twelve months that end with %s begin with %s', (today, to, from) => {
  expect(trendRange({ from: to, to }, today)).toEqual({ from, to });
});

test('the months that may be chosen are the sixty that the service knows', () => {
  expect(knownRange('2026-11-28')).toEqual({ from: '2021-12', to: '2026-11' });
});

test.each([
  ['2026-11', 1],
  ['2025-03', 21],
  ['2021-12', 60],
  ['2021-11', undefined],
  ['2026-12', undefined],
])('since %s there are %s months', (month, count) => expect(monthsSince(month, '2026-11-28')).toBe(count));

test.each([
  ['2026-10', '2026-10', 'in October'],
  ['2025-10', '2025-10', 'in October 2025'],
  ['2026-07', '2026-09', 'from July to September'],
  ['2025-11', '2026-10', 'from November 2025 to October 2026'],
])('%s to %s are told as: %s', (from, to, text) => {
  expect(spokenMonths({ from, to }, '2026-11-28')).toBe(text);
});

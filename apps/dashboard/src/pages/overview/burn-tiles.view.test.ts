// Risk: a burn tile shows the wrong kind, the wrong direction, or bars that do not match their figures.
import { expect, test } from 'vitest';
import { barShares, baseCurrencyFirst, trendOf, windowText } from './burn-tiles.view.ts';

const month = (name: string, cents: number | null, digits?: string) => ({ month: name, cents, digits });

test('the trend compares the last two months', () => {
  expect(trendOf([month('2026-01', 9), month('2026-02', 5), month('2026-03', 7)])).toBe('Up in Mar 2026 from Feb 2026');
  expect(trendOf([month('2026-02', 5), month('2026-03', -7)])).toBe('Down in Mar 2026 from Feb 2026');
  expect(trendOf([month('2026-02', 5), month('2026-03', 5)])).toBe('Unchanged in Mar 2026 from Feb 2026');
  expect(trendOf([month('2026-02', 5)])).toBeUndefined();
});

test('bars are shares of the largest, with their sign, at any size', () => {
  expect(barShares([month('a', 50), month('b', -100), month('c', 0)])).toEqual([50, -100, 0]);
  expect(barShares([month('a', null, '1'.padEnd(30, '0')), month('b', null, '5'.padEnd(29, '0'))])).toEqual([100, 50]);
  expect(barShares([month('a', 0)])).toEqual([0]);
});

test('the base currency leads, and the others keep their order', () => {
  const lines = ['CLF', 'EUR', 'JPY', 'USD'].map((currency) => ({ currency }));
  expect(baseCurrencyFirst(lines, 'JPY').map(({ currency }) => currency)).toEqual(['JPY', 'CLF', 'EUR', 'USD']);
  expect(baseCurrencyFirst(lines, 'KWD')).toEqual(lines);
});

test('the averaged months are named', () => {
  expect(windowText(['2026-01', '2026-02', '2026-03'])).toBe('3-month average (Jan–Mar)');
  expect(windowText(['2026-01'])).toBe('1-month average (Jan)');
});

// Risk: a chart's ticks look uneven because their labels are rounded.
import { expect, test } from 'vitest';
import { currencySign, formatChange, formatCount, formatDecimal, formatPercent, scaleMoney } from './format-number.ts';

const scale = (...cents: number[]): string[] => cents.map((at) => scaleMoney(at, 'USD', 2));

test('the ticks of a scale are printed exactly', () => {
  expect(scale(0, 35_000_000, 70_000_000, 105_000_000, 140_000_000)).toEqual([
    '$0',
    '$350K',
    '$700K',
    '$1.05M',
    '$1.4M',
  ]);
  expect(scale(-115_000_00, 126_500_000)).toEqual(['-$115K', '$1.265M']);
});

test('a currency without minor units has no decimals', () => {
  expect(scaleMoney(2_250_000, 'JPY', 0)).toBe('¥2.25M');
});

test('numbers have commas between thousands, and a hyphen before what is negative', () => {
  expect([formatCount(1234567), formatCount(-1234), formatCount(10n ** 18n)]).toEqual([
    '1,234,567',
    '-1,234',
    '1,000,000,000,000,000,000',
  ]);
  expect([formatDecimal(1234.56, 1), formatPercent(-3), formatChange(12), formatChange(-5), formatChange(-0)]).toEqual([
    '1,234.6',
    '-3.0 %',
    '+12 %',
    '-5 %',
    '0 %',
  ]);
});

test('a currency is known by its sign, or by its code', () => {
  expect(['USD', 'CAD', 'CHF'].map(currencySign)).toEqual(['$', 'CA$', 'CHF']);
});

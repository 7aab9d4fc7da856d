// Risk: a chart's ticks look uneven because their labels are rounded.
import { expect, test } from 'vitest';
import { scaleMoney } from './exact-cents.ts';

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

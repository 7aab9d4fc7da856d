// Risk: a curve leaves its frame or becomes flat when amounts are equal, negative or very large.
import { expect, test } from 'vitest';
import { drawSpark } from './sparkline.view.ts';

const heights = (values: readonly bigint[]): number[] =>
  [...(drawSpark(values)?.line ?? '').matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y));

test('one value has no curve', () => {
  expect(drawSpark([5n])).toBeUndefined();
});

test('the largest is at the top and the smallest at the bottom, at any size', () => {
  expect(heights([0n, 10n])).toEqual([53, 3]);
  expect(heights([10n ** 30n, 3n * 10n ** 30n, 2n * 10n ** 30n])).toEqual([53, 3, 28]);
});

test('equal values run through the middle', () => {
  expect(heights([7n, 7n, 7n])).toEqual([28, 28, 28]);
});

test('the zero line is drawn only where it is crossed', () => {
  expect(drawSpark([-10n, 10n])?.zero).toBe(28);
  expect(drawSpark([5n, 10n])?.zero).toBeUndefined();
});

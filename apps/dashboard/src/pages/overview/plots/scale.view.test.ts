// Risk: a chart draws a value at the wrong height, joins months across a gap, or prints labels over each other.
import { expect, test } from 'vitest';
import { areaPath, crossingOf, labelClass, linePath, runsOf, scaleOf } from './scale.view.ts';

test('a scale shows all values and zero, between round ticks', () => {
  const scale = scaleOf([-180_00, 320_00]);
  expect(scale.ticks).toEqual([-200_00, 0, 200_00, 400_00]);
  expect([400_00, -200_00, 100_00].map((value) => scale.percentOf(value))).toEqual([0, 100, 50]);
  expect(scaleOf([70, 95]).ticks).toEqual([0, 50, 100]);
  expect(scaleOf([-70]).ticks.at(-1)).toBe(0);
});

test('values that are all zero, or beyond 2^53, have a scale', () => {
  expect(scaleOf([0, 0]).ticks).toEqual([0, 1]);
  expect(scaleOf([]).ticks).toEqual([0, 1]);
  const { ticks, percentOf } = scaleOf([1.8e16]);
  expect(ticks).toEqual([0, 5e15, 1e16, 1.5e16, 2e16]);
  expect(percentOf(1.8e16)).toBeCloseTo(10);
});

test('a line ends where a value is missing, and begins anew behind it', () => {
  const scale = scaleOf([0, 100]);
  const runs = runsOf([100, 0, null, 50, null], scale);
  expect(linePath(runs)).toBe('M10 0L30 100M70 50');
  expect(areaPath(runs, scale)).toBe('M10 0L30 100L30 100L10 100ZM70 50L70 100L70 100Z');
});

test('a line crosses zero between two points, in proportion to their distances from it', () => {
  expect(crossingOf([300, 100, -100, -300, null])).toBe(40);
  expect(crossingOf([300, 100, -300, 500])).toBe(43.75);
  expect(crossingOf([-5, -10])).toBe(25);
  expect([crossingOf([3, 0]), crossingOf([null])]).toEqual([undefined, undefined]);
});

test('the last point always has its label; others have one where there is room', () => {
  const shown = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => labelClass(i, count).split(' ').includes(name));
  expect(shown(13, 'block')).toEqual([2, 7, 12]);
  expect(shown(13, '@md:block')).toEqual([0, 3, 6, 9, 12]);
  expect(shown(13, '@5xl:block')).toHaveLength(13);
  expect(shown(2, 'block')).toEqual([0, 1]);
});

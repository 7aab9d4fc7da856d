// Risk: a percentile is off by a rank, or the soak test reports garbage collection as a leak.
import { describe, expect, test } from 'vitest';
import { growthPerMinute, median, quantile, type Sample, spreadOf } from './statistics.ts';

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1);

  test('takes the nearest rank', () => {
    expect(quantile(hundred, 0.5)).toBe(50);
    expect(quantile(hundred, 0.99)).toBe(99);
    expect(quantile(hundred, 1)).toBe(100);
    expect(quantile(hundred, 0)).toBe(1);
  });

  test('of a few values is one of them, and of none is no number', () => {
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([1, 2], 0.5)).toBe(1);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  test('sorts by number and averages the middle two', () => {
    expect(median([100, 9, 20])).toBe(20);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('leaves its input as it is', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('a spread has the tail of unsorted values', () => {
  const values = [...Array.from({ length: 98 }, () => 2), 900, 30].reverse();
  expect(spreadOf(values)).toEqual({ count: 100, p50: 2, p99: 30, max: 900 });
});

const everySecond = (seconds: number, valueAt: (second: number) => number): Sample[] =>
  Array.from({ length: seconds }, (_, second) => ({ at: 1000 * second, value: valueAt(second) }));

test('a saw-tooth with a level foot is flat, whatever its height', () => {
  expect(Math.abs(growthPerMinute(everySecond(600, (second) => 100 + 2 * (second % 17))))).toBeLessThan(0.5);
});

test('a foot that rises is growth at its rate', () => {
  expect(growthPerMinute(everySecond(600, (second) => 100 + second / 12 + 2 * (second % 17)))).toBeCloseTo(5, 0);
});

test('the first fifth does not count: a process grows to its size', () => {
  expect(growthPerMinute(everySecond(600, (second) => Math.min(200, 50 + 2 * second)))).toBeCloseTo(0, 5);
});

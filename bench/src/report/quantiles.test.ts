// Risk removed: a percentile that is off by one rank or sorts numbers as text, so that every latency we publish is wrong.
import { describe, expect, test } from 'vitest';
import { median, quantile, spreadOf } from './statistics.ts';

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

test('a spread tells the tail of unsorted values', () => {
  const values = [...Array.from({ length: 98 }, () => 2), 900, 30].reverse();
  expect(spreadOf(values)).toEqual({ count: 100, p50: 2, p99: 30, max: 900 });
});

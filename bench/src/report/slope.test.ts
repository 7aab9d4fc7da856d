// Risk removed: a soak that calls a leak flat, or the saw-tooth of a garbage collector a leak.
import { expect, test } from 'vitest';
import { growthPerMinute, type Sample } from './statistics.ts';

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

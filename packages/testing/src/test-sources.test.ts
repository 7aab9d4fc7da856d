// Risk: a clock, id or random source that moves by itself makes tests pass or fail by chance.
import { expect, test } from 'vitest';
import { createTestClock, createTestRandom } from './test-sources.ts';

test('the clock stands still until it is moved, and hands out copies', () => {
  const clock = createTestClock('2026-02-28T23:59:59.000Z');
  clock.now().setFullYear(1970);
  expect(clock.now().toISOString()).toBe('2026-02-28T23:59:59.000Z');
  clock.advance(1_000);
  expect(clock.now().toISOString()).toBe('2026-03-01T00:00:00.000Z');
  clock.set(new Date('2027-01-01T00:00:00.000Z'));
  expect(clock.now().getUTCFullYear()).toBe(2027);
  expect(() => clock.set('soon')).toThrow('soon is not a date');
});

test('random numbers repeat with the seed, differ without, and fill their range', () => {
  const draw = (seed: number) => {
    const random = createTestRandom(seed);
    return Array.from({ length: 1_000 }, () => random.integer(10));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(new Set(draw(7)).size).toBe(10);
  expect(createTestRandom(3).bytes(32)).toHaveLength(32);
});

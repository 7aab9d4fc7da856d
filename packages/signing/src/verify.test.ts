// Risk: a replay passes because the window is NaN, one-sided, or not the caller's.
import { expect, test } from 'vitest';
import { checkTimestamp } from './verify.ts';

test.for([
  [0, undefined],
  [10, undefined],
  [10.001, 'timestamp_too_old'],
  [-10, undefined],
  [-10.001, 'timestamp_in_future'],
] as const)('a tolerance of 10 s and an age of %d s: %s', ([age, expected]) => {
  expect(checkTimestamp(1000, { now: 1000 + age, toleranceSeconds: 10 })).toBe(expected);
});

test('a tolerance of zero accepts the same second only', () => {
  expect(checkTimestamp(1000, { now: 1000, toleranceSeconds: 0 })).toBeUndefined();
  expect(checkTimestamp(1000, { now: 1001, toleranceSeconds: 0 })).toBe('timestamp_too_old');
});

test.for([
  { now: Number.NaN },
  { now: Number.POSITIVE_INFINITY },
  { now: 1000, toleranceSeconds: Number.NaN },
  { now: 1000, toleranceSeconds: Number.POSITIVE_INFINITY },
  { now: 1000, toleranceSeconds: -1 },
])('the unusable window %j throws instead of accepting', (window) => {
  expect(() => checkTimestamp(1000, window)).toThrow(RangeError);
});

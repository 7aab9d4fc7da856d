// Risk: retries come all at once, too early or never, or a Retry-After is ignored or misread.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextDelayMs, parseRetryAfter, retryScheduleMs } from './retry-delay.ts';

test('ten attempts over 75 h 35 min 5 s', () => {
  expect(retryScheduleMs).toEqual([0, 5e3, 3e5, 18e5, 72e5, 18e6, 36e6, 504e5, 72e6, 864e5]);
  expect(retryScheduleMs.reduce((sum, wait) => sum + wait, 0)).toBe(((75 * 60 + 35) * 60 + 5) * 1000);
});

test('without jitter the wait after attempt n is step n', () => {
  const waits = [1, 2, 3, 9].map((attempt) => nextDelayMs({ attempt, scale: 1, random: () => 0.5 }));
  expect(waits).toEqual([5e3, 3e5, 18e5, 864e5]);
});

test('every wait lies within 20 % of its scaled step, and both ends are reached', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const scale = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), scale, random, (attempt, factor, value) => {
      const step = (retryScheduleMs[Math.min(attempt, 9)] ?? Number.NaN) * factor;
      const wait = nextDelayMs({ attempt, scale: factor, random: () => value });
      expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(step * 1.2));
    }),
  );
  expect(nextDelayMs({ attempt: 1, scale: 1, random: () => 0 })).toBe(4000);
  expect(nextDelayMs({ attempt: 1, scale: 1, random: () => 0.9999999 })).toBe(6000);
});

test('an own schedule gives the waits instead, with the same jitter and scale', () => {
  const schedule = [0, 10_000, 60_000];
  const waits = [1, 2, 3].map((attempt) => nextDelayMs({ attempt, schedule, scale: 2, random: () => 0.5 }));
  expect(waits).toEqual([20_000, 120_000, 120_000]);
  expect(nextDelayMs({ attempt: 1, schedule, scale: 1, random: () => 0 })).toBe(8_000);
});

const now = new Date('1994-11-06T08:49:00.000Z');
const day = 24 * 60 * 60 * 1000;

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['86400', day],
  ['86401', day],
  ['9'.repeat(400), day],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:48:00 GMT', 0],
  ['Wed, 09 Nov 1994 08:49:37 GMT', day],
  ['60, 120', 120_000],
  ['120,60', 120_000],
  ['soon, 7', 7_000],
  ['5, Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT, 90', 90_000],
])('%j is %d ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});

test.each([
  undefined,
  '',
  'soon',
  '-1',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  '5 s',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 PST',
  'Xyz, 06 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 99:99:99 GMT',
])('%j is ignored', (value) => {
  expect(parseRetryAfter(value, now)).toBeUndefined();
});

test('any string gives nothing or a wait between 0 and 24 h', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const wait = parseRetryAfter(value, now) ?? 0;
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(day);
    }),
  );
});

// Risk: an endpoint that asks for a pause is hammered, or one that sends nonsense is never called again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from './parse-retry-after.ts';

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
  '5, 6',
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

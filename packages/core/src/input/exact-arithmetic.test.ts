// Risk: a mean of money is rounded more than once, or with a bias.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactCentsOf, floorDivide, floorToTenth, mean, median, rational, roundHalfEven } from './exact-arithmetic.ts';

test.each([
  [1n, 2n, 0n],
  [3n, 2n, 2n],
  [5n, 2n, 2n],
  [-1n, 2n, 0n],
  [-3n, 2n, -2n],
  [-5n, 2n, -2n],
  [7n, 3n, 2n],
  [8n, 3n, 3n],
  [-7n, 3n, -2n],
  [6n, 3n, 2n],
])('%s/%s is rounded half-even to %s', (n, d, expected) => {
  expect(roundHalfEven(rational(n, d))).toBe(expected);
});

const numerator = fc.bigInt(-(10n ** 30n), 10n ** 30n);
const denominator = fc.bigInt(1n, 10n ** 12n);

test('rounding is never further than a half away, and symmetric', () => {
  fc.assert(
    fc.property(numerator, denominator, (n, d) => {
      const rounded = roundHalfEven({ n, d });
      const twice = 2n * (n - rounded * d);
      expect(twice <= d && twice >= -d).toBe(true);
      expect(roundHalfEven({ n: -n, d })).toBe(-rounded);
    }),
  );
});

test('floorDivide rounds towards −∞', () => {
  fc.assert(
    fc.property(numerator, denominator, (n, d) => {
      const quotient = floorDivide(n, d);
      expect(quotient * d <= n && n < (quotient + 1n) * d).toBe(true);
    }),
  );
});

test('a quotient with one decimal is rounded down', () => {
  expect(floorToTenth(rational(12_000_000n), rational(2_000_000n))).toBe(6);
  expect(floorToTenth(rational(199n), rational(100n))).toBe(1.9);
  expect(floorToTenth(rational(1n), rational(1_000n, 3n))).toBe(0);
});

test('mean and median of the same months differ, and both are exact', () => {
  expect(roundHalfEven(mean([0n, 3_000_000n, 3_000_000n]))).toBe(2_000_000n);
  expect(roundHalfEven(median([3_000_000n, 0n, 3_000_000n]))).toBe(3_000_000n);
  expect(median([4n, 1n])).toEqual({ n: 5n, d: 2n });
});

test('a sum is a number exactly when a double holds it', () => {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  expect(exactCentsOf('x', max)).toEqual({ x_cents: Number(max) });
  expect(exactCentsOf('x', -max)).toEqual({ x_cents: -Number(max) });
  expect(exactCentsOf('x', max + 1n)).toEqual({ x_cents: null, x_string: '9007199254740992' });
  expect(exactCentsOf('x', undefined)).toEqual({ x_cents: null });
});

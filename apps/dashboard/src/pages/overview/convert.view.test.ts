// Risk: the change of the total is not that of the figures it stands below.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { sumIn } from './convert.view.ts';

const set = (rates: Record<string, string>) => partial<Parameters<typeof sumIn>[2]>({ base: 'EUR', rates });
const ecb = set({ USD: '1.0842', JPY: '162.50' });

test('amounts are converted over the base of the rates, with the digits of each currency', () => {
  expect(sumIn('USD', [{ amount: 500_000n, currency: 'EUR' }], ecb)).toBe(542_100n);
  expect(sumIn('USD', [{ amount: 1_000_000n, currency: 'JPY' }], ecb)).toBe(667_200n);
});

test('a sum is rounded once, half to even, on both sides of zero', () => {
  const rates = set({ USD: '1.5', CHF: '1' });
  const cents = (amount: bigint) => ['EUR', 'CHF'].map((currency) => ({ amount, currency }));
  expect(sumIn('USD', cents(1n), rates)).toBe(3n);
  expect([1n, 3n, -1n, -3n].map((amount) => sumIn('USD', [{ amount, currency: 'EUR' }], rates))).toEqual([
    2n,
    4n,
    -2n,
    -4n,
  ]);
});

test('without a rate there is no sum, and the target needs none for its own amounts', () => {
  expect(sumIn('USD', [{ amount: 1n, currency: 'CHF' }], ecb)).toBeUndefined();
  expect(sumIn('CHF', [{ amount: 1n, currency: 'EUR' }], ecb)).toBeUndefined();
  expect(sumIn('CHF', [{ amount: 7n, currency: 'CHF' }], ecb)).toBe(7n);
});

// Risk: a total of several currencies is wrong by a cent, or by a factor of a hundred.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundHalfEven } from '../../input/exact-arithmetic.ts';
import { createConversion, type RateSet } from './convert.ts';

const TODAY = '2026-11-25';
const setOf = (rates: Record<string, string>, more: Partial<RateSet> = {}): RateSet => ({
  base: 'EUR',
  as_of: TODAY,
  source: 'ECB',
  rates,
  ...more,
});
type Amount = readonly [amount: bigint, currency: string];
function sumIn(target: string, amounts: readonly Amount[], set?: RateSet): bigint {
  const { conversion } = createConversion(
    set,
    amounts.map(([, currency]) => currency),
    target,
    TODAY,
  );
  if (conversion === undefined) throw new Error('There is no conversion.');
  const sum = amounts.reduce((total, [amount, currency]) => total + conversion.convert(amount, currency), 0n);
  return roundHalfEven({ n: sum, d: conversion.parts });
}

test.each<[title: string, set: RateSet, amounts: Amount[], target: string, sum: bigint]>([
  [
    'at par',
    setOf({ USD: '1.00' }),
    [
      [500_000n, 'EUR'],
      [1_000_000_000n, 'USD'],
    ],
    'USD',
    1_000_500_000n,
  ],
  ['from the base', setOf({ USD: '1.0842' }), [[500_000n, 'EUR']], 'USD', 542_100n],
  ['to the base', setOf({ USD: '1.25' }), [[500n, 'USD']], 'EUR', 400n],
  [
    'without minor units, through the base',
    setOf({ USD: '1.0842', JPY: '162.50' }),
    [[1_000_000n, 'JPY']],
    'USD',
    667_200n,
  ],
  ['with three digits of the minor unit', setOf({ USD: '1', KWD: '0.5' }), [[1_000n, 'KWD']], 'USD', 200n],
  [
    'halves that make a whole',
    setOf({ USD: '1.5', CHF: '1' }),
    [
      [1n, 'EUR'],
      [1n, 'CHF'],
    ],
    'USD',
    3n,
  ],
  ['a half goes to the even neighbour', setOf({ USD: '0.5' }), [[5n, 'EUR']], 'USD', 2n],
  ['a rate that begins with zeros', setOf({ USD: '000000000002.000' }), [[-7n, 'EUR']], 'USD', -14n],
])('%s', (_, set, amounts, target, sum) => expect(sumIn(target, amounts, set)).toBe(sum));

test.each<[title: string, set: RateSet | undefined, currencies: string[], target: string, missing: string[]]>([
  ['only the target needs no rates', undefined, ['USD'], 'USD', []],
  ['nothing needs no rates', undefined, [], 'USD', []],
  ['without a set, all but the target', undefined, ['USD', 'JPY', 'EUR'], 'USD', ['EUR', 'JPY']],
  ['a set of seven days ago', setOf({ USD: '1' }, { as_of: '2026-11-18' }), ['EUR'], 'USD', []],
  [
    'a set of eight days ago counts as none',
    setOf({ USD: '1' }, { as_of: '2026-11-17' }),
    ['USD', 'EUR'],
    'USD',
    ['EUR'],
  ],
  ['a set of tomorrow', setOf({ USD: '1' }, { as_of: '2026-11-26' }), ['EUR'], 'USD', []],
  ['the target may be missing itself', setOf({ USD: '1' }), ['USD', 'CHF', 'EUR'], 'GBP', ['CHF', 'GBP']],
  ['a set that lacks one', setOf({ USD: '1' }), ['USD', 'CHF'], 'USD', ['CHF']],
])('rates missing: %s', (_, set, currencies, target, missing) =>
  expect(createConversion(set, currencies, target, TODAY).missing).toEqual(missing),
);

test('the rates are named only if they were used', () => {
  const set = setOf({ USD: '1.1' });
  expect(createConversion(set, ['USD', 'EUR'], 'USD', TODAY).conversion?.rates).toEqual({
    as_of: TODAY,
    source: 'ECB',
  });
  expect(createConversion(set, ['USD'], 'USD', TODAY).conversion).toMatchObject({ rates: null, parts: 1n });
});

const codes = ['EUR', 'USD', 'JPY', 'KWD', 'CHF'];
const rate = fc
  .tuple(fc.bigInt(1n, 10n ** 24n - 1n), fc.nat(12))
  .map(([digits, places]) => {
    const text = digits.toString().padStart(places + 1, '0');
    return places === 0 ? text.slice(0, 12) : `${text.slice(0, -places).slice(0, 12)}.${text.slice(-places)}`;
  })
  .filter((text) => /[1-9]/.test(text));
const sets = fc.record({ USD: rate, JPY: rate, KWD: rate, CHF: rate }).map((rates) => setOf(rates));
const amounts = fc.array(fc.tuple(fc.bigInt(-(2n ** 53n), 2n ** 53n), fc.constantFrom(...codes)), { maxLength: 12 });

test('a converted sum matches the rates, in any order and split in any way', () => {
  fc.assert(
    fc.property(sets, amounts, fc.constantFrom(...codes), (set, all, target) => {
      const { conversion } = createConversion(set, codes, target, TODAY);
      const total = (some: readonly Amount[]): bigint =>
        some.reduce((sum, [amount, currency]) => sum + (conversion?.convert(amount, currency) ?? 0n), 0n);
      const half = all.length >> 1;
      expect(total(all)).toBe(total(all.slice(0, half)) + total(all.slice(half)));
      // The rule with whole numbers: all rates have twelve decimal places.
      const scaled = (code: string): bigint => {
        const [whole = '0', places = ''] = (code === 'EUR' ? '1' : (set.rates[code] ?? '')).split('.');
        return BigInt(whole + places.padEnd(12, '0'));
      };
      const minor = (code: string): bigint => ({ JPY: 1n, KWD: 1_000n })[code] ?? 100n;
      for (const [amount, currency] of all) {
        const converted = total([[amount, currency]]);
        expect(converted * scaled(currency) * minor(currency)).toBe(
          amount * scaled(target) * minor(target) * (conversion?.parts ?? 0n),
        );
      }
    }),
  );
});

test('another base of the same rates makes no difference', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 6 }), fc.bigInt(-(10n ** 15n), 10n ** 15n), (twice, amount) => {
      const rates = { USD: String(2 * twice), CHF: String(twice) };
      const other = setOf({ USD: '2', EUR: '1' }, { base: 'CHF' });
      expect(sumIn('USD', [[amount, 'CHF']], setOf(rates))).toBe(sumIn('USD', [[amount, 'CHF']], other));
    }),
  );
});

// Risk: money is stored in a currency that its sender did not name, or rejected in one that it was booked in.
import { expect, test } from 'vitest';
import { currencyExponent, normalizeCurrency } from './currency.ts';

test('C37: only letters of ASCII name a currency, although others have capitals among them', () => {
  expect([normalizeCurrency('usd'), normalizeCurrency('uSd')]).toEqual(['USD', 'USD']);
  for (let unit = 0x80; unit <= 0xffff; unit++) {
    const letter = String.fromCharCode(unit);
    for (const code of [`u${letter}d`, `${letter}nr`, `${letter}f`]) expect(normalizeCurrency(code)).toBeUndefined();
  }
});

test('C37: a currency that was withdrawn is still one, with its own minor unit; codes of none are refused', () => {
  const withdrawn = 'LVL USS LTL BYR MRO STD VEF CUC HRK SLL ZWL ANG BGN'.split(' ');
  expect(withdrawn.map(normalizeCurrency)).toEqual(withdrawn);
  expect(normalizeCurrency('bgn')).toBe('BGN');
  expect(withdrawn.filter((code) => currencyExponent(code) !== 2)).toEqual(['BYR']);
  expect(currencyExponent('BYR')).toBe(0);
  for (const code of ['XXX', 'XTS', 'XAU', 'ABC', 'BTC', 'US', 'USD ', 'BGN ']) {
    expect(normalizeCurrency(code)).toBeUndefined();
  }
});

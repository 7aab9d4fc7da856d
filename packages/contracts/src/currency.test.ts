// Risk: money is stored in another currency than its sender named, or shown with wrong decimals.
import { expect, test } from 'vitest';
import { currencyExponent, formatMoney, normalizeCurrency } from './currency.ts';

test('only letters of ASCII name a currency, although others have capitals among them', () => {
  expect([normalizeCurrency('usd'), normalizeCurrency('uSd')]).toEqual(['USD', 'USD']);
  for (let unit = 0x80; unit <= 0xffff; unit++) {
    const letter = String.fromCharCode(unit);
    for (const code of [`u${letter}d`, `${letter}nr`, `${letter}f`]) expect(normalizeCurrency(code)).toBeUndefined();
  }
});

test('a currency that was withdrawn is still one, with its own minor unit; codes of none are refused', () => {
  const withdrawn = 'LVL USS LTL BYR MRO STD VEF CUC HRK SLL ZWL ANG BGN'.split(' ');
  expect(withdrawn.map(normalizeCurrency)).toEqual(withdrawn);
  expect(normalizeCurrency('bgn')).toBe('BGN');
  expect(withdrawn.filter((code) => currencyExponent(code) !== 2)).toEqual(['BYR']);
  expect(currencyExponent('BYR')).toBe(0);
  for (const code of ['XXX', 'XTS', 'XAU', 'ABC', 'BTC', 'US', 'USD ', 'BGN ']) {
    expect(normalizeCurrency(code)).toBeUndefined();
  }
});

test.each([
  [1_000, 'JPY', '¥1,000'],
  [1_234, 'KWD', 'KWD 1.234'],
  [1_234_56, 'USD', '$1,234.56'],
  [5, 'USD', '$0.05'],
  [-5, 'USD', '-$0.05'],
  [-1, 'KWD', '-KWD 0.001'],
  [0, 'CLF', 'CLF 0.0000'],
  [0, 'JPY', '¥0'],
  ['900719925474099312', 'USD', '$9,007,199,254,740,993.12'],
  [-900719925474099312n, 'EUR', '-€9,007,199,254,740,993.12'],
])('%s minor units of %s are %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
});

test('the locale decides on separators, the currency on the digits', () => {
  expect(formatMoney(1_234_567, 'EUR', 'de-DE').replaceAll(/\s/g, ' ')).toBe('12.345,67 €');
  expect(formatMoney(1_234_567, 'JPY', 'de-DE').replaceAll(/\s/g, ' ')).toBe('1.234.567 ¥');
});

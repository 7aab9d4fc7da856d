// Risk: a typed amount is stored a hundred times too large, or a minor unit off, and nobody notices.
import { formatMoney } from '@finhook/contracts/currency';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountBounds, moneyText, parseMoney } from './parse-money.ts';

test.each([
  ['12.34', 'USD', 1234],
  ['12.3', 'USD', 1230],
  ['12', 'USD', 1200],
  ['0.07', 'USD', 7],
  ['-12.34', 'USD', -1234],
  ['−12.34', 'USD', -1234],
  ['+5', 'USD', 500],
  [' 5.00 ', 'usd', 500],
  ['-0', 'USD', 0],
  ['1.005', 'KWD', 1005],
  ['1234', 'JPY', 1234],
  ['0.0001', 'CLF', 1],
  // Float errors: 0.29 * 100 is 28.999999999999996, 1.15 * 100 is 114.99999999999999.
  ['1,234.56', 'USD', 123_456],
  ['1,234', 'USD', 123_400],
  ['$1,234.56', 'USD', 123_456],
  ['-$5', 'USD', -500],
  ['$ -5', 'USD', -500],
  ['1,234.5 usd', 'USD', 123_450],
  ['CA$5', 'CAD', 500],
  ['12 €', 'EUR', 1200],
  ['¥1,234', 'JPY', 1234],
  ['1,234.5', 'KWD', 1_234_500],
  ['1,234,567', 'KWD', 1_234_567_000],
  ['0.29', 'USD', 29],
  ['1.15', 'USD', 115],
  ['4503599627370495.55', 'EUR', undefined],
  ['90071992547409.91', 'USD', 9_007_199_254_740_991],
  ['-9007199254740991', 'JPY', -9_007_199_254_740_991],
])('%s %s is %s minor units', (text, currency, cents) => {
  if (cents === undefined) expect(parseMoney(text, currency)).toHaveProperty('fault');
  else expect(parseMoney(text, currency)).toEqual({ cents });
});

test.each([
  ['12.345', 'USD', 'USD has 2 digits after the point. Enter an amount like 1234.56.'],
  ['12.340', 'USD', 'USD has 2 digits after the point. Enter an amount like 1234.56.'],
  ['1.5', 'JPY', 'JPY has no digits after the point. Enter an amount like 123456.'],
  ['1.2345', 'KWD', 'KWD has 3 digits after the point. Enter an amount like 123.456.'],
  ['90071992547409.92', 'USD', 'Enter at most 90071992547409.91.'],
  ['1.234,56', 'USD', 'Use commas only between thousands and a point for decimals, like 1234.56.'],
  ['1,234', 'KWD', 'Use commas only between thousands and a point for decimals, like 123.456.'],
  ['1,23', 'JPY', 'Use commas only between thousands, like 123456.'],
  ['1 234', 'JPY', 'Enter an amount in JPY, like 123456.'],
  ['€1,234.56', 'USD', 'Enter an amount in USD, like 1234.56.'],
  ['$1,234.56', 'CAD', 'Enter an amount in CAD, like 1234.56.'],
  ['12', 'XXZ', 'Enter the currency first, as a three-letter code like USD.'],
])('%s %s is refused with what to do', (text, currency, fault) => {
  expect(parseMoney(text, currency)).toEqual({ fault });
});

const noAmounts =
  ' .|5.|.5|--1|-$-1|$5$|$5 USD|1e3|0x10|NaN|Infinity|١٢|1.2.3|(5)|5-|1,23|,123|0,123|01,234|1234,567|1,,234|1,234.|1.234,5';
test.each(noAmounts.split('|'))('the text "%s" is not an amount', (text) =>
  expect(parseMoney(text, 'USD')).toHaveProperty('fault'),
);

const currencies = fc.constantFrom('JPY', 'USD', 'EUR', 'CAD', 'KWD', 'CLF', 'XAF', 'CHF');
const amounts = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.constantFrom(0, 1, 99, 100),
);

test('every amount parses from its field text and from its displayed text', () => {
  fc.assert(
    fc.property(amounts, currencies, (cents, currency) => {
      expect(parseMoney(moneyText(cents, currency), currency)).toEqual({ cents });
      const shown = formatMoney(cents, currency);
      expect(parseMoney(shown, currency)).toEqual({ cents });
      const number = shown.replace(/[^\d.,-]/g, '');
      expect(parseMoney(`${number} ${currency}`, currency)).toEqual({ cents });
    }),
  );
});

test("an amount in another country's format is rejected or equal, never another amount", () => {
  fc.assert(
    fc.property(
      amounts,
      currencies,
      fc.constantFrom('de-DE', 'fr-FR', 'de-CH', 'en-IN', 'pt-BR'),
      (cents, currency, locale) => {
        const read = parseMoney(formatMoney(cents, currency, locale), currency);
        if ('cents' in read) expect(read).toEqual({ cents });
      },
    ),
  );
});

test('amounts beyond 2^53−1 are formatted with all their digits', () => {
  expect(moneyText('-9007199254740993', 'USD')).toBe('-90071992547409.93');
  expect(moneyText(-5, 'USD')).toBe('-0.05');
  expect(moneyText(-5, 'JPY')).toBe('-5');
});

test('amounts are minor units of one currency and select only its rows', () => {
  expect(amountBounds({ min: '-0.01' }, 'USD')).toMatchObject({ cents: { min: -1 }, currency: 'USD', only: 'USD' });
  expect(amountBounds({ max: '5000', currency: 'jpy' }, 'USD')).toMatchObject({
    cents: { max: 5000 },
    faults: {},
    currency: 'JPY',
    only: 'jpy',
  });
  expect(amountBounds({}, 'USD').only).toBeUndefined();
});

test('an amount that is not exact is an error of its field', () => {
  const { cents, faults } = amountBounds({ min: '0.5', max: '2', currency: 'JPY' }, 'USD');
  expect(faults).toEqual({ min: expect.stringContaining('no digits') });
  expect(cents).toEqual({ min: undefined, max: 2 });
});

// Risk: an amount that is typed is stored a hundred times too large, or a minor unit off, and nobody notices.
import { expect, test } from 'vitest';
import { moneyText, parseMoney } from './parse-money.ts';

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
  // What floats get wrong: 0.29 * 100 is 28.999999999999996, 1.15 * 100 is 114.99999999999999.
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
  ['12.345', 'USD', 'USD has 2 digits after the point, and this amount has 3: like 1234.56.'],
  ['12.340', 'USD', 'USD has 2 digits after the point, and this amount has 3: like 1234.56.'],
  ['1.5', 'JPY', 'JPY has no digits after the point, and this amount has 1: like 123456.'],
  ['1.2345', 'KWD', 'KWD has 3 digits after the point, and this amount has 4: like 123.456.'],
  ['90071992547409.92', 'USD', 'The amount is too large: at most 90071992547409.91.'],
  ['1,234.56', 'USD', 'Write digits with a point, and no separators: like 1234.56.'],
  ['1 234', 'JPY', 'Write digits, and no separators: like 123456.'],
  ['12', 'XXZ', 'Choose the currency first: a code of three letters like USD.'],
])('%s %s is refused with what to do', (text, currency, fault) => {
  expect(parseMoney(text, currency)).toEqual({ fault });
});

test.each(['', '.', '5.', '.5', '--1', '1e3', '0x10', 'NaN', 'Infinity', '١٢', '1.2.3', '(5)', '$5'])(
  'the text "%s" is no amount',
  (text) => expect(parseMoney(text, 'USD')).toHaveProperty('fault'),
);

test('every amount reads back as itself, in currencies of each number of digits', () => {
  const edges = [0, 1, 9, 10, 99, 100, 101, 999, 1000, 9_999, 10_000, Number.MAX_SAFE_INTEGER];
  // A walk over all magnitudes that is the same in every run.
  let state = 1;
  const walk = Array.from({ length: 5_000 }, (_, i) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.trunc((state / 2_147_483_647) * 10 ** (i % 16));
  });
  for (const currency of ['JPY', 'USD', 'KWD', 'CLF']) {
    for (const amount of [...edges, ...walk]) {
      for (const cents of [amount, amount === 0 ? 0 : -amount]) {
        expect(parseMoney(moneyText(cents, currency), currency)).toEqual({ cents });
      }
    }
  }
});

test('amounts beyond what JSON holds exactly are written with all their digits', () => {
  expect(moneyText('-9007199254740993', 'USD')).toBe('-90071992547409.93');
  expect(moneyText(-5, 'USD')).toBe('-0.05');
  expect(moneyText(-5, 'JPY')).toBe('-5');
});

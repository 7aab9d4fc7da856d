// Risk: an amount is shown a hundred or a thousand times too large, or loses digits.
import { expect, test } from 'vitest';
import { formatMoney } from './currency.ts';

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
])('C37: %s minor units of %s are %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
});

test('C37: the locale decides on separators, the currency on the digits', () => {
  expect(formatMoney(1_234_567, 'EUR', 'de-DE').replaceAll(/\s/g, ' ')).toBe('12.345,67 €');
  expect(formatMoney(1_234_567, 'JPY', 'de-DE').replaceAll(/\s/g, ' ')).toBe('1.234.567 ¥');
});

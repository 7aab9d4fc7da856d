// Risk: an amount loses a cent, or a day changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNoon, readCents, readShortDay } from './values.ts';

const cents = (text: string, currency = 'USD', mark?: '.' | ',') => {
  const read = readCents(text, currency, mark);
  return 'value' in read ? read.value : read.error;
};

test.each([
  ['1,234.56', 'USD', 123_456],
  ['1.234,56', 'EUR', 123_456],
  ['-9,', 'EUR', -900],
  ['11,8', 'EUR', 1180],
  ['(1,000.00)', 'USD', -100_000],
  ['5.00-', 'USD', -500],
  ['+ 1 006.60', 'USD', 100_660],
  ['$20.00', 'USD', 2000],
  ["11'373.94", 'CHF', 1_137_394],
  ['1234', 'JPY', 1234],
  ['1.500', 'KWD', 1500],
  ['18.15000', 'EUR', 1815],
  ['12,34,567.80', 'INR', 123_456_780],
  ['.5', 'USD', 50],
  ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
])('%s %s is %i minor units', (text, currency, expected) => {
  expect(cents(text, currency)).toBe(expected);
});

const noAmounts = [
  '-10 50',
  '10€50',
  '1 23 456',
  '',
  '-',
  '1.2.3',
  '1,2345.00',
  '12,50.00',
  '--1',
  '(-1)',
  '(1',
  '1e5',
  '0x10',
  '=1+1',
  '12a',
  'NaN',
  '١٢',
  '1'.repeat(99),
];

test.each([
  ['1.005', 'USD', 'has 3 decimals, and USD has 2'],
  ['1.5', 'JPY', 'has 1 decimals, and JPY has 0'],
  ['90071992547409.92', 'USD', 'is too large'],
  ...noAmounts.map((text): [string, string, string] => [text, 'USD', 'is not an amount']),
])('%s %s is rejected', (text, currency, error) => {
  expect(cents(text, currency)).toContain(error);
});

test('every amount of every currency is read exactly as it is written', () => {
  const currencies = fc.constantFrom(['JPY', 0], ['USD', 2], ['KWD', 3], ['CLF', 4]);
  fc.assert(
    fc.property(fc.maxSafeInteger(), currencies, fc.constantFrom('.', ','), (units, [currency, digits], mark) => {
      const text = String(Math.abs(units)).padStart(digits + 1, '0');
      const split = text.length - digits;
      const whole = text.slice(0, split).replaceAll(/\B(?=(\d{3})+$)/g, mark === '.' ? ',' : '.');
      const written = `${units < 0 ? '-' : ''}${whole}${digits > 0 ? mark + text.slice(split) : ''}`;
      expect(cents(written, currency, mark)).toBe(units + 0);
    }),
  );
});

test('noon is noon of the same day in every zone', () => {
  for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Niue', 'Europe/Berlin']) {
    const noon = createNoon(zone);
    for (const day of ['2026-01-01', '2026-03-08', '2026-03-29', '2026-12-31']) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
      expect(format.format(new Date(noon(day)))).toBe(`${day} 12:00`);
    }
  }
});

test('a day that does not exist is rejected', () => {
  expect(readShortDay('160230')).toHaveProperty('error');
  expect(readShortDay('000229')).toEqual({ value: '2000-02-29' });
});

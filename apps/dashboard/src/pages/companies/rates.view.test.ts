// Risk: a rate is stored upside down, or a form that is filled in still leaves the company without a total.
import { expect, test } from 'vitest';
import { dayOfRates, firstRates, withMissing } from './rates.view.ts';

test('one missing currency is asked for as it is published, several for one unit of the base currency', () => {
  expect(firstRates(['EUR'], 'USD')).toEqual({ base: 'EUR', codes: ['USD'] });
  expect(firstRates(['EUR', 'JPY'], 'USD')).toEqual({ base: 'USD', codes: ['EUR', 'JPY'] });
  expect(firstRates([], 'USD')).toBeUndefined();
});

test('stored rates gain the missing currencies; an old rate and the base stay as they are', () => {
  const stored = { base: 'EUR', rates: { USD: '1.0842' } };
  expect(withMissing(stored, ['USD', 'JPY', 'EUR'])).toEqual({ USD: '1.0842', JPY: '' });
  expect(withMissing(stored, [])).toEqual(stored.rates);
});

test.each([
  ['2026-11-21', '2026-11-21'],
  ['2026-11-20', '2026-11-28'],
  [null, '2026-11-28'],
])('on 28 November, rates of %s are shown with the day %s', (stored, shown) => {
  expect(dayOfRates(stored, '2026-11-28')).toBe(shown);
});

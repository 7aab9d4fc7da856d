// Risk: a filter by several values selects others than were chosen, or a link with one value no longer works.
import { expect, test } from 'vitest';
import { joinValues, valuesOf } from './several.ts';

test('several values are one parameter, and one value is itself', () => {
  for (const values of [['rent'], ['rent', 'Rent, office'], ['a|b', 'a&b=c', '["x"]']]) {
    expect(valuesOf(joinValues(values))).toEqual(values);
  }
  expect(joinValues(['Rent, office'])).toBe('Rent, office');
  expect(joinValues([])).toBeUndefined();
  expect(valuesOf(undefined)).toEqual([]);
  expect(valuesOf(joinValues(['rent', 'rent']))).toEqual(['rent']);
});

// Risk: a count has the wrong noun, or thousands are unreadable.
import { expect, test } from 'vitest';
import { plural } from './plural.ts';

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [12_345, '12,345 rows'],
])('%i is told as %s', (count, text) => expect(plural(count, 'row')).toBe(text));

test('a noun with a plural of its own is told by it', () =>
  expect(plural(2, 'company', 'companies')).toBe('2 companies'));

// Risk: an approver of a payment reads a name or amount other than the one that was sent.
// Risk: a count has the wrong noun, or thousands are unreadable.
import { expect, test } from 'vitest';
import { plural, someOf, visibleJson, visibleText } from './text.ts';

test('bidirectional control characters are shown as marks; right-to-left letters stay', () => {
  expect(visibleText('Honest \u202Emoc knab')).toBe('Honest [U+202E]moc knab');
  expect(visibleText('\u2066a\u2069 \u202Ab\u202C')).toBe('[U+2066]a[U+2069] [U+202A]b[U+202C]');
  expect(visibleText('שלום, Ünal & 株式会社')).toBe('שלום, Ünal & 株式会社');
});

test('JSON escapes them, with the same value', () => {
  const value = { to: 'Pay \u202E000,1$', 'k\u2067': [1] };
  expect(visibleJson(value)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  expect(JSON.parse(visibleJson(value))).toEqual(value);
});

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [12_345, '12,345 rows'],
])('%i is %s', (count, text) => expect(plural(count, 'row')).toBe(text));

test('an irregular plural is used', () => expect(plural(2, 'company', 'companies')).toBe('2 companies'));

test.each([
  [[], 'None'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b, c, d'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('the names %j are shortened to: %s', (names, text) => expect(someOf(names)).toBe(text));

// Risk: an answer carries half a character, and a strict parser refuses all of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from './shorten.ts';

test('whatever was sent, what is shown has whole characters and is no longer than it may be', () => {
  const anything = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 80 }), (text, max) => {
      const shown = shorten(text, max);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(max + 1);
      if (text.isWellFormed() && text.length <= max) expect(shown).toBe(text);
    }),
  );
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['a😀', 2, 'a\ufffd…'],
  ['a\ud83d', 5, 'a\ufffd'],
])('%j of at most %i is shown as %j', (text, max, shown) => expect(shorten(text, max)).toBe(shown));

// Risk: a caller cannot find the place that was refused, or is told of it in an answer as long as what was sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathOf, pointerOf } from './pointer-of.ts';

test('a pointer leads back to its place (RFC 6901)', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.nat())), (path) => {
      expect(pathOf(pointerOf(path))).toEqual(path.map(String));
    }),
  );
});

test('S31: names up to a hundred characters are whole, longer ones are cut', () => {
  expect(pointerOf(['totals', 'k'.repeat(100), 3])).toBe(`/totals/${'k'.repeat(100)}/3`);
  expect(pointerOf(['totals', '/'.repeat(1_000_000), 3])).toBe(`/totals/${'~1'.repeat(100)}…/3`);
});

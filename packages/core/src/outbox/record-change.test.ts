// Risk: an update event names fields that did not change, or loses an old value.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, isSameJson, keepSame } from './record-change.ts';

test('lists changed fields with their old values, except the time of the update', () => {
  const before = { name: 'A', phone: null, tags: { a: '1' }, updated_at: '1' };
  const after = { name: 'B', phone: '+1', tags: { a: '1' }, updated_at: '2' };
  expect(changesBetween(before, after)).toEqual({ changed: ['name', 'phone'], previous: { name: 'A', phone: null } });
});

test('the new record with the old values is the old record', () => {
  const record = fc.record({ a: fc.jsonValue(), b: fc.jsonValue(), c: fc.jsonValue() });
  fc.assert(
    fc.property(record, record, (before, after) => {
      const { previous } = changesBetween(before, after, []);
      expect(JSON.stringify({ ...after, ...previous })).toBe(JSON.stringify(before));
    }),
  );
});

test('JSON is the same in any order of keys and with -0 for 0, not with another value or order of a list', () => {
  const stored = { amount: 0, rows: [{ a: 1, b: null }, 2] };
  expect(isSameJson({ rows: [{ b: null, a: 1 }, 2], amount: -0 }, stored)).toBe(true);
  expect(isSameJson({ rows: [2, { b: null, a: 1 }], amount: 0 }, stored)).toBe(false);
  expect(isSameJson({ rows: [{ a: 1 }, 2], amount: 0 }, stored)).toBe(false);
  expect(isSameJson(null, stored)).toBe(false);
  const kept = keepSame(stored, { rows: [{ b: null, a: 1 }, 2], amount: 0 });
  expect(kept).toBe(stored);
});

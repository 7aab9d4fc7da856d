// Risk: an update event names fields that did not change, or loses an old value.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from './changes.ts';

test('names what differs, with the old values, and not the time of the update', () => {
  const before = { name: 'A', phone: null, tags: { a: '1' }, updated_at: '1' };
  const after = { name: 'B', phone: '+1', tags: { a: '1' }, updated_at: '2' };
  expect(changesBetween(before, after)).toEqual({ changed: ['name', 'phone'], previous: { name: 'A', phone: null } });
});

test('the old values laid over the new record give the old record', () => {
  const record = fc.record({ a: fc.jsonValue(), b: fc.jsonValue(), c: fc.jsonValue() });
  fc.assert(
    fc.property(record, record, (before, after) => {
      const { previous } = changesBetween(before, after, []);
      expect(JSON.stringify({ ...after, ...previous })).toBe(JSON.stringify(before));
    }),
  );
});

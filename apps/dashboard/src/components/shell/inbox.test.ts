// Risk: the navigation counts what no longer waits, or a deadline within two hours looks like any other.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { countText, isUrgent, stillWaiting, type Waiting } from './inbox.ts';

const now = Date.parse('2026-03-01T10:00:00.000Z');
const until = (expires_at: string | null) => partial<Waiting>({ expires_at });

test('what has expired since the last read no longer waits; what has no deadline does', () => {
  const [past, next, never] = [until('2026-03-01T10:00:00.000Z'), until('2026-03-01T10:00:00.001Z'), until(null)];
  expect(stillWaiting([past, next, never], now)).toEqual([next, never]);
});

test.each([
  ['2026-03-01T11:59:59.999Z', true],
  ['2026-03-01T12:00:00.000Z', false],
  [null, false],
])('a deadline at %s is urgent at 10:00: %s', (expires_at, urgent) => {
  expect(isUrgent({ expires_at }, now)).toBe(urgent);
});

test('the count says if more wait than were read', () => {
  const waiting = [until(null), until(null)];
  expect(countText({ waiting, isCut: false })).toBe('2');
  expect(countText({ waiting, isCut: true })).toBe('2+');
});

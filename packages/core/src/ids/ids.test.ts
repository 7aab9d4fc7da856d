// Risk: ids can be guessed, repeat, or do not sort by time, which breaks keysets and partitions.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { createIdSource, idTime } from './ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

test('ids carry at least 74 random bits, each of which takes both values about equally often', () => {
  const newId = createIdSource(createTestClock());
  const count = 4_000;
  const ones = Array.from({ length: 26 * 5 }, () => 0);
  for (let i = 0; i < count; i++) {
    const body = newId('evt').slice('evt_'.length);
    for (let bit = 0; bit < ones.length; bit++) {
      const digit = ALPHABET.indexOf(body.charAt(Math.floor(bit / 5)));
      ones[bit] = (ones[bit] ?? 0) + ((digit >> (4 - (bit % 5))) & 1);
    }
  }
  // Five standard deviations of 4000 tosses of a fair coin.
  const random = ones.filter((n) => Math.abs(n - count / 2) < 5 * Math.sqrt(count / 4));
  expect(random.length).toBeGreaterThanOrEqual(74);
});

test('random parts of ids of one moment do not repeat', () => {
  const newId = createIdSource(createTestClock());
  const parts = Array.from({ length: 20_000 }, () => newId('txn').slice(-15));
  expect(new Set(parts).size).toBe(parts.length);
});

test('ids rise strictly over time and up to 32 a millisecond, for each prefix by itself', () => {
  const clock = createTestClock('2026-03-01T00:00:00.000Z');
  const newId = createIdSource(clock);
  const events: string[] = [];
  for (let ms = 0; ms < 200; ms++) {
    for (let i = 0; i < 32; i++) {
      events.push(newId('evt'));
      newId('dlv');
    }
    clock.advance(1);
  }
  expect(events.toSorted()).toEqual(events);
  expect(new Set(events).size).toBe(events.length);
});

test('a clock that steps back does not make ids step back', () => {
  const clock = createTestClock('2026-03-01T00:00:01.000Z');
  const newId = createIdSource(clock);
  const first = newId('evt');
  clock.set('2026-03-01T00:00:00.000Z');
  expect(newId('evt') > first).toBe(true);
});

test('an id begins with its time, so that partitions can be cut by date', () => {
  const ms = Date.parse('2026-03-01T00:00:00.000Z');
  const id = createIdSource(createTestClock(new Date(ms)))('evt');
  expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(id.slice(4, 14)).toBe(idTime(ms));
  expect(idTime(ms) > idTime(ms - 1)).toBe(true);
  expect(idTime(0)).toBe('0000000000');
});

// Risk: a retry schedule is misread, and deliveries wait for hours instead of minutes.
import { expect, test } from 'vitest';
import { attemptsOf, describeSchedule, formatSeconds, parseWaits, writeWaits } from './duration.view.ts';

test.each([
  ['5s, 5m, 2h, 1d', [5, 300, 7_200, 86_400]],
  ['30 60;90', [30, 60, 90]],
  ['', []],
  ['5 m', undefined],
  ['-5s', undefined],
  ['1.5h', undefined],
  ['soon', undefined],
])('%j is read as %j', (text, waits) => expect(parseWaits(text)).toEqual(waits));

test('what is written is read back as the same', () => {
  const waits = [1, 59, 60, 61, 300, 3_600, 5_400, 86_400];
  expect(parseWaits(writeWaits(waits))).toEqual(waits);
});

test('durations and schedules are told in words', () => {
  expect([0, 59, 90, 3_600, 90_061].map(formatSeconds)).toEqual(['0 s', '59 s', '1 min 30 s', '1 h', '1 d 1 h']);
  expect(describeSchedule([])).toBe('No retries');
  expect(describeSchedule([5, 300])).toContain('3 attempts over 5 min 5 s');
  expect([attemptsOf(null), attemptsOf(undefined), attemptsOf([]), attemptsOf([1, 2])]).toEqual([10, 10, 1, 3]);
});

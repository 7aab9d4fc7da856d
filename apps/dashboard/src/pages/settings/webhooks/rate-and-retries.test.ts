// Risk: saving an endpoint's form changes an option that nobody edited, or turns minutes between retries into
// hours.
import { expect, test } from 'vitest';
import {
  attemptsOf,
  describeSchedule,
  formatSeconds,
  parseWaits,
  readRateLimit,
  readRetry,
  writeWaits,
} from './rate-and-retries.tsx';

test.each([
  ['5s, 5m, 2h, 1d', [5, 300, 7_200, 86_400]],
  ['30 60;90', [30, 60, 90]],
  ['', []],
  ['5 m', undefined],
  ['-5s', undefined],
  ['1.5h', undefined],
  ['soon', undefined],
])('%j is read as %j', (text, waits) => expect(parseWaits(text)).toEqual(waits));

test('a written schedule is read back as the same', () => {
  const waits = [1, 59, 60, 61, 300, 3_600, 5_400, 86_400];
  expect(parseWaits(writeWaits(waits))).toEqual(waits);
});

test('durations and schedules are described in words', () => {
  expect([0, 59, 90, 3_600, 90_061].map(formatSeconds)).toEqual(['0 s', '59 s', '1 min 30 s', '1 h', '1 d 1 h']);
  expect(describeSchedule([])).toBe('No retries');
  expect(describeSchedule([5, 300])).toContain('3 attempts over 5 min 5 s');
  expect([attemptsOf(null), attemptsOf(undefined), attemptsOf([]), attemptsOf([1, 2])]).toEqual([10, 10, 1, 3]);
});

function form(...entries: ReadonlyArray<readonly [name: string, value: string]>): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

test.each([
  [readRetry(form(['retry', 'custom'], ['delays', 'soon'])), 'Enter delays such as 5s, 5m, 2h.'],
  [readRateLimit(form(['rate_requests', '100'], ['rate_seconds', ''])), 'Enter two whole numbers.'],
  [readRateLimit(form(['rate_requests', '1.5'], ['rate_seconds', '1'])), 'Enter two whole numbers.'],
])('%j is an error at its field', (read, fault) => expect(read).toEqual({ fault }));

test('an option that is left as it is keeps its stored value', () => {
  expect(readRetry(form(['retry', 'default']))).toEqual({ value: null });
  expect(readRetry(form(['retry', 'none']))).toEqual({ value: [] });
  expect(readRetry(form(['retry', 'custom'], ['delays', writeWaits([5, 300])]))).toEqual({ value: [5, 300] });
  expect(readRateLimit(form(['rate_requests', ''], ['rate_seconds', '1']))).toEqual({ value: null });
  expect(readRateLimit(form(['rate_requests', '100'], ['rate_seconds', '60']))).toEqual({
    value: { requests: 100, per_seconds: 60 },
  });
});

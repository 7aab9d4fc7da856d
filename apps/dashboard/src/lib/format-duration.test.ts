// Risk: a duration is off by a factor of sixty or a thousand.
import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 0 s'],
  [185_400, '3 min 5 s'],
])('%i ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

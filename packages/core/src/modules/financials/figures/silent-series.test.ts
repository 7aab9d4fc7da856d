// Risk: an interrupted feed looks like a month without spending, or every rare payment is reported.
import { expect, test } from 'vitest';
import { beganIn, isSilent, type SeriesActivity } from './silent-series.ts';

const WINDOW = ['2026-02', '2026-03', '2026-04'];
const silentIn = (months: string[], ended: string | null = null) =>
  isSilent({ connection_id: 'a', currencies: ['USD'], months, ended, succeeds: false }, WINDOW);

test.each([
  ['rows in each month', ['2026-01', '2026-02', '2026-03', '2026-04'], false],
  ['none in the last month', ['2025-12', '2026-01', '2026-02', '2026-03'], true],
  ['none in the last two of a young history', ['2026-01', '2026-02'], true],
  ['none in the whole window', ['2025-11', '2025-12', '2026-01'], true],
  ['a gap', ['2025-12', '2026-01', '2026-02', '2026-04'], true],
  ['a month of rows only', ['2026-02'], false],
  ['rows every other month', ['2025-12', '2026-02', '2026-04'], false],
  ['rows of the current month only', ['2026-05'], false],
  ['nothing at all', [], false],
])('%s', (_, months, expected) => {
  expect(silentIn(months)).toBe(expected);
});

test('a series is not silent from the month on in which another connection took over', () => {
  const months = ['2025-12', '2026-01', '2026-02'];
  expect(silentIn(months, '2026-03')).toBe(false);
  expect(silentIn(months, '2026-04')).toBe(true);
});

test.each<[string, string[], Partial<SeriesActivity>, boolean]>([
  ['rows of this month only', ['2026-05'], {}, true],
  ['rows of the month before, too', ['2026-04', '2026-05'], {}, false],
  ['another one to replace', ['2026-05'], { succeeds: true }, false],
  ['another one that took over', ['2026-05'], { ended: '2026-05' }, false],
])('a series with %s is judged by whether it has a history', (_, months, more, expected) => {
  const series = { connection_id: 'a', currencies: ['USD'], months, ended: null, succeeds: false, ...more };
  expect(beganIn(series, '2026-05')).toBe(expected);
});

// Risk: a process polls the feeds without open dashboards, or stops polling after a failure.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFeedWatch } from './feed-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('feeds are read only while followed, also after a failed read', async () => {
  const reads: string[][] = [];
  const errors: unknown[] = [];
  const watch = createFeedWatch({
    everyMs: 250,
    findNews: async (positions) => {
      reads.push(positions.map(({ accountId, position }) => `${accountId} ${position}`));
      if (reads.length === 1) throw new Error('away');
      return [{ accountId: 'one', position: String(reads.length) }];
    },
    onError: (error) => void errors.push(error),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toEqual([]);
  const positions: string[] = [];
  const stop = watch.follow('one', (position) => void positions.push(position));
  await vi.advanceTimersByTimeAsync(750);
  expect([reads, positions, errors]).toEqual([[['one 0'], ['one 0'], ['one 2']], ['2', '3'], [new Error('away')]]);
  stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([reads.length, positions.length]).toEqual([3, 2]);
});

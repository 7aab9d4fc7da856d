// Risk: the samples of the console grow without a limit, or end with the first failure of the database.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { recordDueHistory } from './due-history.ts';

test('samples are taken after the first interval, kept for an hour, and go on after one that could not be read', async () => {
  const clock = createTestClock(new Date('2026-11-26T22:00:00Z'));
  let due = 0;
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  const read = async () => {
    due += 1;
    clock.advance(1_000_000);
    if (due === 6) end();
    return due === 4 ? undefined : { limit: 10, due, held: 0, oldestDueAgeSeconds: due / 2 };
  };
  const history = recordDueHistory({ read, clock, everyMs: 1 });
  await done;
  await history.close();
  const [, ...kept] = history.samples();
  expect(history.samples()).toHaveLength(3);
  expect(kept).toEqual([
    { at: new Date(clock.now().getTime() - 1_000_000), due: 5, oldestDueAgeSeconds: 2.5 },
    { at: clock.now(), due: 6, oldestDueAgeSeconds: 3 },
  ]);
});

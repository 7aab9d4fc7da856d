// Risk: a background loop overlaps itself, stops, outlives its owner's close or keeps the process alive.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

test('runs at once, and again when the wait after the end of a run is over', async () => {
  const starts: number[] = [];
  const ends: number[] = [];
  const repetition = repeat(async () => {
    starts.push(performance.now());
    await delay(30);
    ends.push(performance.now());
    return ends.length === 1 ? 40 : 1;
  });
  expect(starts).toHaveLength(1);
  await expect.poll(() => ends.length).toBeGreaterThan(2);
  await repetition.close();
  // Timers may fire up to a millisecond early.
  expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(38);
  for (const [index, end] of ends.slice(0, -1).entries()) expect(starts[index + 1]).toBeGreaterThanOrEqual(end);
});

test('close waits for the current run, and none follows it', async () => {
  const run = Promise.withResolvers<number>();
  let runs = 0;
  let isClosed = false;
  const repetition = repeat(() => {
    runs += 1;
    return run.promise;
  });
  const closed = repetition.close().then(() => {
    isClosed = true;
  });
  await delay(5);
  expect(isClosed).toBe(false);
  run.resolve(1);
  await closed;
  await delay(20);
  expect(runs).toBe(1);
});

test('close during the wait starts no further run', async () => {
  let runs = 0;
  const repetition = repeat(async () => {
    runs += 1;
    return 50;
  });
  await new Promise((resolve) => setImmediate(resolve));
  await repetition.close();
  await delay(70);
  expect(runs).toBe(1);
});

test.each([false, true])('the wait keeps the process alive, except with unref: %j', async (unref) => {
  using timers = vi.spyOn(globalThis, 'setTimeout');
  const repetition = repeat(async () => 60_000, { unref });
  await expect.poll(() => timers.mock.calls.findIndex(([, ms]) => ms === 60_000)).toBeGreaterThanOrEqual(0);
  const index = timers.mock.calls.findIndex(([, ms]) => ms === 60_000);
  expect(timers.mock.results[index]?.value.hasRef()).toBe(!unref);
  await repetition.close();
});

// Risk: a background loop overlaps itself, stops, runs after close, or keeps the process alive.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const waitMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('runs at once, and again after the returned wait', async () => {
  const seen: string[] = [];
  const repetition = repeat(async () => {
    seen.push('start');
    await waitMs(30);
    seen.push('end');
    return 40;
  });
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return seen.join(' ');
  };
  expect([await after(0), await after(30), await after(39)]).toEqual(['start', 'start end', 'start end']);
  expect([await after(1), await after(30)]).toEqual(['start end start', 'start end start end']);
  await repetition.close();
});

test('close waits for the current run, and none follows it', async () => {
  const run = Promise.withResolvers<number>();
  const runs = vi.fn(() => run.promise);
  let isClosed = false;
  const repetition = repeat(runs);
  const closed = repetition.close().then(() => {
    isClosed = true;
  });
  await delay(1);
  expect(isClosed).toBe(false);
  run.resolve(1);
  await closed;
  await vi.advanceTimersByTimeAsync(10);
  expect(runs).toHaveBeenCalledTimes(1);
});

test('close during the wait starts no further run', async () => {
  const runs = vi.fn(async () => 50);
  const repetition = repeat(runs);
  await vi.advanceTimersByTimeAsync(10);
  await repetition.close();
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toHaveBeenCalledTimes(1);
});

test.each([false, true])('the wait keeps the process alive, except with unref: %j', async (unref) => {
  vi.useRealTimers();
  using timers = vi.spyOn(globalThis, 'setTimeout');
  const repetition = repeat(async () => 60_000, { unref });
  await expect.poll(() => timers.mock.calls.findIndex(([, ms]) => ms === 60_000)).toBeGreaterThanOrEqual(0);
  const index = timers.mock.calls.findIndex(([, ms]) => ms === 60_000);
  expect(timers.mock.results[index]?.value.hasRef()).toBe(!unref);
  await repetition.close();
});

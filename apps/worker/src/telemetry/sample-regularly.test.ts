// Risk: samples pile up on a slow database, keep the process alive, or stop after a failure.
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleRegularly } from './sample-stores.ts';

test('goes on after a failure, one sample at a time, until it is stopped', async () => {
  let samples = 0;
  let under = 0;
  let most = 0;
  const errors: unknown[] = [];
  const stop = sampleRegularly({
    everyMs: 1,
    onError: (error) => void errors.push(error),
    sample: async () => {
      most = Math.max(most, (under += 1));
      samples += 1;
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (samples === 2) throw new Error('away');
    },
  });
  await expect.poll(() => samples).toBeGreaterThan(4);
  await stop();
  const ended = samples;
  expect([under, most, errors.length]).toEqual([0, 1, 1]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(samples).toBe(ended);
});

test('a sample that takes long is followed by a wait of four times as long', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let samples = 0;
  const stop = sampleRegularly({
    everyMs: 1,
    onError: () => undefined,
    sample: async () => {
      samples += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  });
  await vi.advanceTimersByTimeAsync(249);
  expect(samples).toBe(1);
  await vi.advanceTimersByTimeAsync(51);
  expect(samples).toBe(2);
  await stop();
});

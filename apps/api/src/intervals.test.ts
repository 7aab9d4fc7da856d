// Risk: background writes to a slow database pile up until no connection is left.
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flushRegularly } from './intervals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source whose writes end when the test says so. */
function controlled() {
  const writes: PromiseWithResolvers<void>[] = [];
  const flush = (): Promise<void> => {
    const write = Promise.withResolvers<void>();
    writes.push(write);
    return write.promise;
  };
  return { writes, flush };
}

test('writes do not overlap, also after a failure, and the last one is written on close', async () => {
  const app = Fastify();
  const source = controlled();
  const errors: unknown[] = [];
  flushRegularly(app, source, 1_000, (error) => void errors.push(error));
  await vi.advanceTimersByTimeAsync(5_500);
  expect(source.writes).toHaveLength(1);
  source.writes[0]?.reject('away');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(errors).toEqual(['away']);
  expect(source.writes).toHaveLength(2);

  const closed = app.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(source.writes).toHaveLength(2);
  source.writes[1]?.resolve();
  await vi.waitFor(() => expect(source.writes).toHaveLength(3));
  source.writes[2]?.resolve();
  await closed;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(source.writes).toHaveLength(3);
});

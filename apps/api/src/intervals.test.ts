// Risk: pacing loses or delays a wake-up, so that a webhook waits for the reconciler.
// Risk: a slow database gets a further write each second until nothing else gets a connection.
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPacedWake, flushRegularly } from './intervals.ts';

describe('paced wake-ups', () => {
  const sent: (readonly string[])[] = [];
  beforeEach(() => {
    sent.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());
  const wakeOf = () => createPacedWake((ids) => void sent.push(ids), 5);

  test('the first goes out at once', () => {
    wakeOf()(['we_a', 'we_b']);
    expect(sent).toEqual([['we_a', 'we_b']]);
  });

  test('those that follow go out together when the interval is over, each endpoint once', () => {
    const wake = wakeOf();
    wake(['we_a']);
    wake(['we_a', 'we_b']);
    wake(['we_b', 'we_c']);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(5);
    expect(sent).toEqual([['we_a'], ['we_a', 'we_b', 'we_c']]);
  });

  test('a burst that goes on is sent once an interval, and nothing is sent when nothing came', () => {
    const wake = wakeOf();
    for (let ms = 0; ms < 20; ms++) {
      wake(['we_a']);
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(100);
    expect(sent).toHaveLength(5);
    wake([]);
    expect(sent).toHaveLength(5);
    wake(['we_b']);
    expect(sent.at(-1)).toEqual(['we_b']);
  });
});

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

test('no write begins before the one before it has ended, well or not; the last one is written at the end', async () => {
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

// Risk: pacing loses or delays a wake-up, so that a webhook waits for the reconciler.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPacedWake } from './paced-wake.ts';

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

// Risk: rejected requests use up the quota of others, or all return at once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFixedWindows } from './fixed-windows.ts';

/** Windows with a clock that the test sets. */
function open(points: number, duration: number) {
  const clock = { ms: 0 };
  return { clock, windows: createFixedWindows({ points, duration, now: () => clock.ms }) };
}

const requests = fc.array(fc.record({ afterMs: fc.nat({ max: 900 }), points: fc.integer({ min: 1, max: 8 }) }), {
  maxLength: 80,
});

/** The requests of a history with what became of each. */
function play(history: readonly { afterMs: number; points: number }[]) {
  const { clock, windows } = open(10, 2);
  let at = 0;
  return history.map((request) => {
    at += request.afterMs;
    clock.ms = at;
    const { allowed, remaining } = windows.consume('key', request.points);
    return { at, points: request.points, allowed, remaining };
  });
}

test('a rejected request does not count', () => {
  fc.assert(
    fc.property(requests, (history) => {
      const all = play(history);
      const { clock, windows } = open(10, 2);
      const admitted = all.filter(({ allowed }) => allowed);
      for (const { at, points, remaining } of admitted) {
        clock.ms = at;
        expect(windows.consume('key', points)).toMatchObject({ allowed: true, remaining });
      }
    }),
  );
});

test('no window admits more than its points', () => {
  fc.assert(
    fc.property(requests, (history) => {
      let [endsAt, sum] = [0, 0];
      for (const { at, points } of play(history).filter(({ allowed }) => allowed)) {
        if (at >= endsAt) [endsAt, sum] = [at + 2_000, 0];
        sum += points;
        expect(sum).toBeLessThanOrEqual(10);
      }
    }),
  );
});

test('refunded points can be consumed again in their window, once, and not in a later one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.nat({ max: 4_000 }), (points, laterMs) => {
      const { clock, windows } = open(10, 2);
      const consumed = windows.consume('key', points);
      windows.consume('another', 1);
      clock.ms = laterMs;
      const inTime = laterMs < 2_000;
      // The next window has begun, if the first has ended.
      windows.consume('key', 0);
      expect([consumed.refund(), consumed.refund()]).toEqual([inTime ? 2_000 - laterMs : 0, 0]);
      expect(windows.consume('key', 0).remaining).toBe(10);
      expect(windows.consume('another', 0).remaining).toBe(inTime ? 9 : 10);
    }),
  );
});

test('a window admits at most five times its points, however many are refunded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 1, max: 20 })), (quota, batches) => {
      const { windows } = open(quota, 2);
      let admitted = 0;
      // Enough requests to use up the window whatever came before.
      for (const points of [...batches, ...Array<number>(6 * quota).fill(1)]) {
        const { allowed, refund } = windows.consume('key', points);
        if (allowed) admitted += points;
        refund();
      }
      expect(admitted).toBeLessThanOrEqual(5 * quota);
      expect(windows.consume('key', 1).allowed).toBe(false);
    }),
  );
});

test('the next window can refund again', () => {
  const { clock, windows } = open(1, 2);
  for (let n = 0; n < 4; n++) expect(windows.consume('key', 1).refund()).toBe(2_000);
  expect(windows.consume('key', 1).refund()).toBe(0);
  clock.ms = 2_000;
  expect(windows.consume('key', 1).refund()).toBe(2_000);
});

test('reading the remaining points starts no window', () => {
  const { clock, windows } = open(5, 2);
  expect([windows.remaining('key'), windows.size]).toEqual([5, 0]);
  windows.consume('key', 2);
  expect(windows.remaining('key')).toBe(3);
  clock.ms = 2_000;
  expect(windows.remaining('key')).toBe(5);
});

test('a rejected request refunds nothing', () => {
  const { windows } = open(1, 2);
  windows.consume('key', 1);
  expect(windows.consume('key', 1).refund()).toBe(0);
  expect(windows.consume('key', 1).allowed).toBe(false);
});

test('rejected requests return after the end of the window, at most its points per window', () => {
  const quotas = fc.record({ points: fc.integer({ min: 1, max: 300 }), duration: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(quotas, fc.integer({ min: 1, max: 900 }), fc.nat({ max: 900 }), (quota, rejected, afterMs) => {
      const { clock, windows } = open(quota.points, quota.duration);
      windows.consume('key', quota.points);
      clock.ms = afterMs;
      const waits = Array.from({ length: rejected }, () => windows.consume('key', 1).retryInMs());
      const inSeconds = waits.map((ms) => Math.ceil(ms / 1000));
      const left = quota.duration * 1000 - afterMs;
      expect(Math.min(...waits)).toBe(left);
      expect(Math.max(...waits)).toBeLessThanOrEqual(left + 15_000);
      // Beyond that the sequence begins again.
      const first = inSeconds.slice(0, Math.floor((15 / quota.duration) * quota.points));
      for (const second of new Set(first)) {
        const together = first.filter((wait) => wait >= second && wait < second + quota.duration);
        // One more for what a sum of fractions may round off.
        expect(together.length).toBeLessThanOrEqual(quota.points + 1);
      }
    }),
  );
});

test('requests that are rejected in the next window return after those of the previous one', () => {
  const { clock, windows } = open(2, 2);
  const reject = (): number => {
    windows.consume('key', windows.consume('key', 0).remaining);
    return clock.ms + windows.consume('key', 1).retryInMs();
  };
  expect([reject(), reject(), reject(), reject()]).toEqual([2_000, 3_000, 4_000, 5_000]);
  clock.ms = 2_500;
  expect([reject(), reject()]).toEqual([6_000, 7_000]);
  clock.ms = 60_000;
  expect(reject()).toBe(62_000);
});

test('a rejected batch delays later requests by all of its calls', () => {
  const { windows } = open(4, 2);
  windows.consume('key', 4);
  expect([3, 1, 1].map((points) => windows.consume('key', points).retryInMs())).toEqual([2_000, 3_500, 4_000]);
});

test('keys whose windows have ended are removed, unless rejected requests are still to return', () => {
  const { clock, windows } = open(1, 2);
  for (let n = 0; n < 1_000; n++) windows.consume(`key${n}`, 1);
  for (let n = 0; n < 3; n++) windows.consume('rejected', 1).retryInMs();
  clock.ms = 4_500;
  windows.consume('new', 1);
  expect(windows.size).toBe(2);
  clock.ms = 30_000;
  windows.consume('newer', 1);
  expect(windows.size).toBe(1);
});

test('a shared count replaces the own one, and moves the end of the window', () => {
  const { clock, windows } = open(10, 2);
  const consumed = windows.consume('key', 4);
  windows.set('key', 7, 500);
  expect(windows.consume('key', 0)).toMatchObject({ remaining: 3, endsInMs: 500 });
  expect(consumed.refund()).toBe(500);
  expect(windows.consume('key', 0).remaining).toBe(7);
  clock.ms = 500;
  expect(windows.consume('key', 0)).toMatchObject({ remaining: 10, endsInMs: 2_000 });
});

test('points are not refunded to the next window, which another process has started', () => {
  const { clock, windows } = open(10, 2);
  const consumed = windows.consume('key', 4);
  clock.ms = 1_990;
  windows.set('key', 5, 1_995);
  expect(consumed.refund()).toBe(0);
  expect(windows.consume('key', 0)).toMatchObject({ remaining: 5, endsInMs: 1_995 });
});

test('a window never has a negative count', () => {
  const { windows } = open(10, 2);
  const consumed = windows.consume('key', 8);
  windows.set('key', 3, 2_000);
  consumed.refund();
  expect(windows.remaining('key')).toBe(10);
});

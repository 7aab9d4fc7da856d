export interface TestClock {
  now(): Date;
  advance(ms: number): void;
  set(date: Date | string): void;
}

/** A clock that only `advance` and `set` change. */
export function createTestClock(start: Date | string = '2026-01-15T12:00:00.000Z'): TestClock {
  let ms = millisecondsOf(start);
  return {
    now: () => new Date(ms),
    advance: (by) => {
      ms += by;
    },
    set: (date) => {
      ms = millisecondsOf(date);
    },
  };
}

function millisecondsOf(date: Date | string): number {
  const ms = new Date(date).getTime();
  if (Number.isNaN(ms)) throw new RangeError(`${String(date)} is not a date.`);
  return ms;
}

export interface TestRandom {
  /** In [0, 1), like Math.random. */
  next(): number;
  /** An integer in [0, below). */
  integer(below: number): number;
  bytes(count: number): Uint8Array;
}

/** Reproducible pseudo-random numbers (mulberry32). */
export function createTestRandom(seed = 1): TestRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return { next, integer, bytes: (count) => Uint8Array.from({ length: count }, () => integer(256)) };
}

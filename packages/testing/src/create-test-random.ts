export interface TestRandom {
  /** In [0, 1), like Math.random. */
  next(): number;
  /** An integer in [0, below). */
  integer(below: number): number;
  bytes(count: number): Uint8Array;
}

/** Pseudo-random numbers that are the same in each run with the same seed (mulberry32). */
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

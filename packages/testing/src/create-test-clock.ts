export interface TestClock {
  now(): Date;
  /** Moves on by so many milliseconds. */
  advance(ms: number): void;
  set(date: Date | string): void;
}

/** A clock that stands still until a test moves it. */
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

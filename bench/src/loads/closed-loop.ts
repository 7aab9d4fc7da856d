import type { LoadResult } from './load.ts';

export interface ClosedLoopOptions {
  readonly callers: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Does the n-th piece of work; a rejection ends the run. */
  readonly work: (n: number) => Promise<void>;
}

/** Keeps `callers` busy for the warm-up and the measured time, and counts what ended within the latter. */
export async function runClosedLoop({ callers, warmupMs, durationMs, work }: ClosedLoopOptions): Promise<LoadResult> {
  const startAt = performance.now() + warmupMs;
  const endAt = startAt + durationMs;
  const latencies: number[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    for (let began = performance.now(); began < endAt; ) {
      await work(next++);
      const ended = performance.now();
      if (ended >= startAt && ended < endAt) latencies.push(ended - began);
      began = ended;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { count: latencies.length, seconds: durationMs / 1000, latencies, accepted: [] };
}

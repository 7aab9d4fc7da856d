import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

export interface LimiterOptions {
  keyPrefix: string;
  /** Points of a key in a window. */
  points: number;
  /** The window's length in seconds. */
  duration: number;
  /** Counts shared by all api processes; in this process's memory when absent. */
  redis?: object | undefined;
}

export type Limiter = Pick<RateLimiterMemory, 'consume'>;

/** A process reports what it has counted after so long, or once it is this share of the limit. */
const REPORT_MS = 100;
const REPORT_SHARE = 0.1;

/**
 * A fixed-window limiter that decides in memory, so that a request waits for no message. The processes report their
 * counts to Redis, which returns the sum of all: together they may exceed the limit by what each has not yet reported.
 */
export function createLimiter({ redis, ...limit }: LimiterOptions): Limiter {
  const memory = new RateLimiterMemory(limit);
  if (redis === undefined) return memory;
  const shared = new RateLimiterRedis({ storeClient: redis, ...limit });
  const unreported = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function reportKey(key: string, points: number): Promise<void> {
    const sum = await shared.penalty(key, points).catch(() => undefined);
    // While Redis is unavailable each process counts for itself: a limit is no reason to reject everyone.
    if (sum === undefined) return;
    // A duration of 0 would never end.
    const seconds = Math.max(1, sum.msBeforeNext) / 1000;
    await memory.set(key, sum.consumedPoints + (unreported.get(key) ?? 0), seconds);
  }

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    const counts = [...unreported];
    unreported.clear();
    for (const [key, points] of counts) void reportKey(key, points);
  }

  return {
    consume: (key, points = 1) => {
      const count = (unreported.get(String(key)) ?? 0) + points;
      unreported.set(String(key), count);
      if (count >= REPORT_SHARE * limit.points) report();
      else timer ??= setTimeout(report, REPORT_MS).unref();
      return memory.consume(key, points);
    },
  };
}

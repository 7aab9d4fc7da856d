import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createFixedWindows, type FixedWindows, type WindowOptions } from './fixed-windows.ts';

export interface LimiterOptions extends WindowOptions {
  keyPrefix: string;
  /** Counts shared by all api processes; in this process's memory when absent. */
  redis?: object | undefined;
}

export type Limiter = Pick<FixedWindows, 'consume'>;

/** A process reports what it has counted after so long, or once it is this share of the limit. */
const REPORT_MS = 100;
const REPORT_SHARE = 0.1;

/**
 * A fixed-window limiter that decides in memory, so that a request waits for no message. The processes report their
 * counts to Redis, which returns the sum of all: together they may exceed the limit by what each has not yet reported.
 */
export function createLimiter({ redis, keyPrefix, ...window }: LimiterOptions): Limiter {
  const memory = createFixedWindows(window);
  if (redis === undefined) return memory;
  const { points: limit, duration } = window;
  const shared = new RateLimiterRedis({ storeClient: redis, keyPrefix, points: limit, duration });
  const unreported = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function reportKey(key: string, points: number): Promise<void> {
    const sum = await shared.penalty(key, points).catch(() => undefined);
    // While Redis is unavailable each process counts for itself: a limit is no reason to reject everyone.
    if (sum === undefined) return;
    // Points that are given back while the window ends in Redis would make the sum of the next one negative.
    const count = Math.max(0, sum.consumedPoints + (unreported.get(key) ?? 0));
    memory.set(key, count, Math.max(1, sum.msBeforeNext));
  }

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    const counts = [...unreported];
    unreported.clear();
    for (const [key, points] of counts) void reportKey(key, points);
  }

  /** `points` is negative for points that are given back. */
  function note(key: string, points: number): void {
    const count = (unreported.get(key) ?? 0) + points;
    unreported.set(key, count);
    if (count >= REPORT_SHARE * limit) report();
    else timer ??= setTimeout(report, REPORT_MS).unref();
  }

  return {
    consume(key, points) {
      const consumed = memory.consume(key, points);
      // A rejected request counts nothing, but learns what the others have counted.
      note(key, consumed.allowed ? points : 0);
      const giveBack = (): boolean => {
        const given = consumed.giveBack();
        if (given) note(key, -points);
        return given;
      };
      return { ...consumed, giveBack };
    },
  };
}

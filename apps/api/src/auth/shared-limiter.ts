import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { createFixedWindows, type FixedWindows, type WindowOptions } from './fixed-windows.ts';

export interface LimiterOptions extends WindowOptions {
  keyPrefix: string;
  /** Counts shared by all api processes; in this process's memory when absent. */
  redis?: object | undefined;
}

export type Limiter = Pick<FixedWindows, 'consume' | 'remaining'>;

/** A process reports what it has counted after so long, or once it is this share of the limit. */
const REPORT_MS = 100;
const REPORT_SHARE = 0.1;

/**
 * Adds points to a window, which begins with them; returns its count, and the time until it ends in ms, negative if there
 * is none. The library gives the points and the seconds of a window. Negative points are given back, with the time in ms
 * that is left of their window: they begin none, and change none that ends half a window later. All limiters of a client
 * share its script.
 */
const COUNT_SCRIPT = `
local points = tonumber(ARGV[1])
if points >= 0 then
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
else
  local count = tonumber(redis.call('get', KEYS[1]))
  if not count then return {0, -2} end
  local isNext = redis.call('pttl', KEYS[1]) - ARGV[2] > ARGV[4] * 500
  points = isNext and 0 or -math.min(-points, count)
end
return {redis.call('incrby', KEYS[1], points), redis.call('pttl', KEYS[1])}`;

interface GivenBack {
  points: number;
  /** The end of their window. */
  endsAt: number;
}

interface Reporter {
  consumed(key: string, points: number): void;
  givenBack(key: string, points: number, endsAt: number): void;
}

interface Sums extends Required<WindowOptions> {
  shared: RateLimiterRedis;
  memory: FixedWindows;
}

/** Adds what this process counts to the sums in Redis, and sets its own windows to them. */
function createReporter({ shared, memory, points: limit, now }: Sums): Reporter {
  const unreported = new Map<string, number>();
  const givenBack = new Map<string, GivenBack>();
  let timer: NodeJS.Timeout | undefined;

  async function learn(key: string, reported: Promise<RateLimiterRes>): Promise<void> {
    const sum = await reported.catch(() => undefined);
    // While Redis is unavailable each process counts for itself: a limit is no reason to reject everyone.
    if (sum === undefined || sum.msBeforeNext < 0) return;
    const own = (unreported.get(key) ?? 0) - (givenBack.get(key)?.points ?? 0);
    memory.set(key, Math.max(0, sum.consumedPoints + own), Math.max(1, sum.msBeforeNext));
  }

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    const [counts, returned] = [[...unreported], [...givenBack]];
    unreported.clear();
    givenBack.clear();
    for (const [key, points] of counts) void learn(key, shared.penalty(key, points));
    for (const [key, { points, endsAt }] of returned) {
      const left = Math.ceil(endsAt - now());
      if (left > 0) void learn(key, shared.reward(key, points, { customDuration: left }));
    }
  }

  function reportSoon(): void {
    timer ??= setTimeout(report, REPORT_MS).unref();
  }

  return {
    consumed(key, points) {
      const count = (unreported.get(key) ?? 0) + points;
      unreported.set(key, count);
      if (count >= REPORT_SHARE * limit) report();
      else reportSoon();
    },
    givenBack(key, points, endsAt) {
      const known = givenBack.get(key);
      // The window of those may have ended.
      const before = known && known.endsAt > now() ? known.points : 0;
      givenBack.set(key, { points: before + points, endsAt });
      reportSoon();
    },
  };
}

/**
 * A fixed-window limiter that decides in memory, so that a request waits for no message. The processes report their
 * counts to Redis, which returns the sum of all: together they may exceed the limit by what each has not yet reported.
 */
export function createLimiter({ redis, keyPrefix, ...window }: LimiterOptions): Limiter {
  const memory = createFixedWindows(window);
  if (redis === undefined) return memory;
  const { points, duration, now = () => performance.now() } = window;
  const shared = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration,
    customIncrTtlLuaScript: COUNT_SCRIPT,
  });
  const report = createReporter({ shared, memory, points, duration, now });
  return {
    remaining: memory.remaining,
    consume(key, wanted) {
      const consumed = memory.consume(key, wanted);
      // A rejected request counts nothing, but learns what the others have counted.
      report.consumed(key, consumed.allowed ? wanted : 0);
      const giveBack = (): number => {
        const left = consumed.giveBack();
        if (left > 0) report.givenBack(key, wanted, now() + left);
        return left;
      };
      return { ...consumed, giveBack };
    },
  };
}

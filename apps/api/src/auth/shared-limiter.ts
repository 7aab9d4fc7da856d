import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { createFixedWindows, type FixedWindows, type WindowOptions } from './fixed-windows.ts';

export interface LimiterOptions extends WindowOptions {
  keyPrefix: string;
  redis?: object | undefined;
}

export type Limiter = Pick<FixedWindows, 'consume' | 'remaining'>;

/** Counts are reported after this time, or once they reach this share of the limit. */
const REPORT_MS = 100;
const REPORT_SHARE = 0.1;

/**
 * Adds points to a window. Negative points are a refund for the window that ends in ARGV[2] ms: it starts no window and
 * does not apply to the next one. Returns the count and the ms left, negative without a window.
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

interface Refund {
  points: number;
  endsAt: number;
}

interface Reporter {
  consumed(key: string, points: number): void;
  refunded(key: string, points: number, endsAt: number): void;
}

interface Sums extends Required<WindowOptions> {
  shared: RateLimiterRedis;
  memory: FixedWindows;
}

function createReporter({ shared, memory, points: limit, now }: Sums): Reporter {
  const unreported = new Map<string, number>();
  const refunded = new Map<string, Refund>();
  let timer: NodeJS.Timeout | undefined;

  async function learn(key: string, reported: Promise<RateLimiterRes>): Promise<void> {
    const sum = await reported.catch(() => undefined);
    // Without Redis each process counts for itself.
    if (sum === undefined || sum.msBeforeNext < 0) return;
    const own = (unreported.get(key) ?? 0) - (refunded.get(key)?.points ?? 0);
    memory.set(key, Math.max(0, sum.consumedPoints + own), Math.max(1, sum.msBeforeNext));
  }

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    const [counts, returned] = [[...unreported], [...refunded]];
    unreported.clear();
    refunded.clear();
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
    refunded(key, points, endsAt) {
      const known = refunded.get(key);
      const before = known && known.endsAt > now() ? known.points : 0;
      refunded.set(key, { points: before + points, endsAt });
      reportSoon();
    },
  };
}

/** Decides in memory and reports to Redis later, so processes may together exceed a limit by unreported counts. */
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
      // A rejected request counts nothing, but fetches the count of the others.
      report.consumed(key, consumed.allowed ? wanted : 0);
      const refund = (): number => {
        const left = consumed.refund();
        if (left > 0) report.refunded(key, wanted, now() + left);
        return left;
      };
      return { ...consumed, refund };
    },
  };
}

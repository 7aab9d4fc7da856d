import type { Logger } from '@finhook/runtime';
import { ErrorCode } from 'bullmq';

export interface BackendHealth {
  /** Whether the backend answered last. False until it has answered once. */
  readonly isUp: () => boolean;
  /** Resolves at once when it is up, else when it comes up. */
  readonly whenUp: () => Promise<void>;
  readonly up: () => void;
  /** It can't be reached, or refuses. Logged at most once per interval, and so is that it is back. */
  readonly down: (error: unknown) => void;
  /** Something else went wrong; logged at most once per interval. */
  readonly trouble: (error: unknown) => void;
  /** We are leaving: what breaks from now on is no news. */
  readonly close: () => void;
}

type State = 'unknown' | 'up' | 'down';

const quietMs = 10_000;

/** Keeps whether the queue's backend answers, and turns a storm of driver errors into a line per ten seconds. */
export function createBackendHealth(logger: Logger, now: () => number = Date.now): BackendHealth {
  let state: State = 'unknown';
  /** What the log said last. It lags behind a backend that comes and goes. */
  let told: State = 'unknown';
  let waiting = Promise.withResolvers<void>();
  let suppressed = 0;
  let closed = false;
  const lastLine = { down: Number.NEGATIVE_INFINITY, trouble: Number.NEGATIVE_INFINITY };

  const line = (kind: keyof typeof lastLine, err: unknown, message: string): boolean => {
    if (closed) return false;
    if (now() - lastLine[kind] < quietMs) {
      suppressed += 1;
      return false;
    }
    lastLine[kind] = now();
    logger.warn({ err: withoutStack(err), suppressed }, message);
    suppressed = 0;
    return true;
  };

  return {
    isUp: () => state === 'up',
    whenUp: () => (state === 'up' ? Promise.resolve() : waiting.promise),
    up: () => {
      if (state === 'up') return;
      state = 'up';
      waiting.resolve();
      if (!closed && told !== 'up') logger.info({}, told === 'down' ? 'the queue is back' : 'the queue is connected');
      told = 'up';
    },
    down: (error) => {
      if (state === 'up') waiting = Promise.withResolvers<void>();
      state = 'down';
      if (line('down', error, 'the queue is away: trying again')) told = 'down';
    },
    trouble: (error) => {
      if (!isReplacedJob(error)) line('trouble', error, 'the queue reported an error');
    },
    close: () => {
      closed = true;
    },
  };
}

/** A newer wake-up of the same endpoint replaced the job while a worker took it: the newer one does the work. */
function isReplacedJob(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === ErrorCode.JobNotExist;
}

function withoutStack(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

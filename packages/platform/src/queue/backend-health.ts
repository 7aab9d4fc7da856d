import type { Logger } from '../create-logger.ts';

export interface BackendHealth {
  /** Whether the backend answered last. False until it has answered once. */
  readonly isUp: () => boolean;
  /** Resolves at once when it is up, else when it comes up. */
  readonly whenUp: () => Promise<void>;
  readonly up: () => void;
  /** It can't be reached. Logged when that is news, and else at most once per interval. */
  readonly down: (error: unknown) => void;
  /** Something else went wrong; logged at most once per interval. */
  readonly trouble: (error: unknown) => void;
  /** We are leaving: what breaks from now on is no news. */
  readonly close: () => void;
}

const quietMs = 10_000;

/** Keeps whether the queue's backend answers, and turns a storm of driver errors into a line per ten seconds. */
export function createBackendHealth(logger: Logger, now: () => number = Date.now): BackendHealth {
  let state: 'unknown' | 'up' | 'down' = 'unknown';
  let waiting = Promise.withResolvers<void>();
  let suppressed = 0;
  let closed = false;
  const lastLine = { down: Number.NEGATIVE_INFINITY, trouble: Number.NEGATIVE_INFINITY };

  const line = (kind: keyof typeof lastLine, news: boolean, err: unknown, message: string) => {
    if (closed) return;
    if (!news && now() - lastLine[kind] < quietMs) {
      suppressed += 1;
      return;
    }
    lastLine[kind] = now();
    logger.warn({ err: withoutStack(err), suppressed }, message);
    suppressed = 0;
  };

  return {
    isUp: () => state === 'up',
    whenUp: () => (state === 'up' ? Promise.resolve() : waiting.promise),
    up: () => {
      if (state === 'up') return;
      if (!closed) logger.info({}, state === 'down' ? 'the queue is back' : 'the queue is connected');
      state = 'up';
      waiting.resolve();
    },
    down: (error) => {
      const news = state !== 'down';
      if (state === 'up') waiting = Promise.withResolvers<void>();
      state = 'down';
      line('down', news, error, 'the queue is away: trying again');
    },
    trouble: (error) => line('trouble', false, error, 'the queue reported an error'),
    close: () => {
      closed = true;
    },
  };
}

function withoutStack(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

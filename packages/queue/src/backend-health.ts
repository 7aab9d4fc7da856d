import type { Logger } from '@finhook/runtime';
import { ErrorCode } from 'bullmq';

export interface BackendHealth {
  /** The state at the last contact; false before the first. */
  readonly isUp: () => boolean;
  /** True after it was lost, or rejected the connection; false before the first contact. */
  readonly isAway: () => boolean;
  readonly whenUp: () => Promise<void>;
  /** Calls `listener` each time that it goes away. */
  readonly onDown: (listener: () => void) => void;
  readonly up: () => void;
  /** The backend can't be reached, or rejects writes. Logged at most once per interval, and so is its return. */
  readonly down: (error: unknown) => void;
  readonly warn: (error: unknown) => void;
  readonly close: () => void;
}

type State = 'unknown' | 'up' | 'down';

const quietMs = 10_000;

/** Knows whether the queue's backend is up, and logs a storm of driver errors as one line per ten seconds. */
export function createBackendHealth(logger: Logger, now: () => number = Date.now): BackendHealth {
  let state: State = 'unknown';
  /** Lags behind `state` when a backend comes and goes faster than is logged. */
  let loggedState: State = 'unknown';
  let waiting = Promise.withResolvers<void>();
  const listeners: (() => void)[] = [];
  let suppressed = 0;
  let closed = false;
  const lastLoggedAt = { down: Number.NEGATIVE_INFINITY, other: Number.NEGATIVE_INFINITY };

  const logWarning = (kind: keyof typeof lastLoggedAt, err: unknown, message: string): boolean => {
    if (closed) return false;
    if (now() - lastLoggedAt[kind] < quietMs) {
      suppressed += 1;
      return false;
    }
    lastLoggedAt[kind] = now();
    logger.warn({ err: withoutStack(err), suppressed }, message);
    suppressed = 0;
    return true;
  };

  return {
    isUp: () => state === 'up',
    isAway: () => state === 'down',
    whenUp: () => (state === 'up' ? Promise.resolve() : waiting.promise),
    onDown: (listener) => void listeners.push(listener),
    up: () => {
      if (state === 'up') return;
      state = 'up';
      waiting.resolve();
      if (!closed && loggedState !== 'up')
        logger.info({}, loggedState === 'down' ? 'the queue is back' : 'the queue is connected');
      loggedState = 'up';
    },
    down: (error) => {
      if (state === 'up') waiting = Promise.withResolvers<void>();
      state = 'down';
      for (const listener of listeners) listener();
      if (logWarning('down', error, 'the queue is away: trying again')) loggedState = 'down';
    },
    warn: (error) => {
      if (!isReplacedJob(error)) logWarning('other', error, 'the queue reported an error');
    },
    close: () => {
      closed = true;
    },
  };
}

/** A newer wake-up of the endpoint replaced the job while a worker took it, and does the work. */
function isReplacedJob(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === ErrorCode.JobNotExist;
}

function withoutStack(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

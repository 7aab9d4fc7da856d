import type { Logger } from '@finhook/runtime';
import { ErrorCode } from 'bullmq';

export interface BackendHealth {
  /** False before the first contact. A slow backend is up. */
  readonly isUp: () => boolean;
  /** Connected, but slow to respond: don't give it hand-offs. */
  readonly isSlow: () => boolean;
  /** True after the connection was lost or writes were rejected; false before the first contact. */
  readonly isAway: () => boolean;
  readonly whenUp: () => Promise<void>;
  readonly onOutage: (listener: () => void) => void;
  readonly up: () => void;
  /** A response takes too long. Before the first contact, this means unavailable. */
  readonly slow: (error: unknown) => void;
  /** It can't be reached, or rejects writes. Logged at most once per interval, as is the recovery. */
  readonly down: (error: unknown) => void;
  readonly warn: (error: unknown) => void;
  readonly close: () => void;
}

/** True while jobs are not delivered soon. */
export const isImpaired = (health: Pick<BackendHealth, 'isAway' | 'isSlow'>) => health.isAway() || health.isSlow();

type State = 'unknown' | 'up' | 'slow' | 'down';

const quietMs = 10_000;

/** Tracks whether the queue's backend is up, and logs driver errors at most once per ten seconds. */
export function createBackendHealth(logger: Logger, now: () => number = Date.now): BackendHealth {
  let state: State = 'unknown';
  /** Lags behind `state` while the backend flaps. */
  let loggedState: State = 'unknown';
  let waiting = Promise.withResolvers<void>();
  const listeners: (() => void)[] = [];
  let suppressed = 0;
  let closed = false;
  const never = Number.NEGATIVE_INFINITY;
  const lastLoggedAt = { down: never, slow: never, other: never };

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

  const isUp = () => state === 'up' || state === 'slow';
  const leave = (next: 'slow' | 'down', error: unknown, message: string) => {
    if (isUp() && next === 'down') waiting = Promise.withResolvers<void>();
    state = next;
    for (const listener of listeners) listener();
    if (logWarning(next, error, message)) loggedState = next;
  };
  const down = (error: unknown) => leave('down', error, 'the queue is away: trying again');

  return {
    isUp,
    isSlow: () => state === 'slow',
    isAway: () => state === 'down',
    whenUp: () => (isUp() ? Promise.resolve() : waiting.promise),
    onOutage: (listener) => void listeners.push(listener),
    up: () => {
      if (state === 'up') return;
      state = 'up';
      waiting.resolve();
      if (!closed && loggedState !== 'up')
        logger.info({}, loggedState === 'unknown' ? 'the queue is connected' : 'the queue is back');
      loggedState = 'up';
    },
    slow: (error) => {
      if (isUp()) leave('slow', error, 'the queue is slow: workers look for deliveries by themselves');
      else down(error);
    },
    down,
    warn: (error) => {
      if (!isReplacedJob(error)) logWarning('other', error, 'the queue reported an error');
    },
    close: () => {
      closed = true;
    },
  };
}

function isReplacedJob(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === ErrorCode.JobNotExist;
}

function withoutStack(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

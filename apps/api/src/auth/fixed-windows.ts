export interface WindowOptions {
  points: number;
  /** Seconds. */
  duration: number;
  /** Monotonic, in ms. */
  now?: () => number;
}

export interface Consumed {
  /** False if nothing was counted, because too few points were left. */
  allowed: boolean;
  remaining: number;
  endsInMs: number;
  /** Refunds the points, once. Returns the time until the window ends, in ms; 0 if nothing is refunded. */
  refund: () => number;
  /** Time until a rejected request may be repeated, in ms. Each call returns a later time of the key. */
  retryInMs: () => number;
}

/** Limits how far rejected requests are staggered after the end of their window, and so their wait. */
const MAX_SPREAD_MS = 15_000;

/** Limits refunds of a window, because refunded requests cost work too. */
const REFUNDS_PER_POINT = 4;

interface Window {
  count: number;
  refunded: number;
  endsAt: number;
  /** When the next rejected request may return. Carries over to the next window. */
  retryAt: number;
}

export interface FixedWindows {
  consume(key: string, points: number): Consumed;
  remaining: (key: string) => number;
  /** Sets the count and the end of the current window. A much later end starts the next window. */
  set(key: string, count: number, endsInMs: number): void;
  readonly size: number;
}

/** Fixed windows in memory that start with a key's first request. */
export function createFixedWindows(options: WindowOptions): FixedWindows {
  const { points: limit, duration, now = () => performance.now() } = options;
  const length = duration * 1000;
  const windows = new Map<string, Window>();
  let sweptAt = now();

  function sweep(at: number): void {
    if (at - sweptAt < length) return;
    sweptAt = at;
    for (const [key, { endsAt, retryAt }] of windows) if (endsAt <= at && retryAt <= at) windows.delete(key);
  }

  function windowOf(key: string, at: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    sweep(at);
    const begun = { count: 0, refunded: 0, endsAt: at + length, retryAt: known?.retryAt ?? at };
    windows.set(key, begun);
    return begun;
  }

  return {
    consume(key, points) {
      const at = now();
      const window = windowOf(key, at);
      const allowed = window.count + points <= limit;
      if (allowed) window.count += points;
      let counted = allowed;
      return {
        allowed,
        remaining: Math.max(0, limit - window.count),
        endsInMs: window.endsAt - at,
        refund: () => {
          const left = counted ? refund(window, points, { limit, at: now() }) : 0;
          counted = false;
          return left;
        },
        retryInMs: () => nextRetryAt(windowOf(key, now()), (points * length) / limit) - now(),
      };
    },
    remaining: (key) => {
      const known = windows.get(key);
      return known && known.endsAt > now() ? Math.max(0, limit - known.count) : limit;
    },
    set(key, count, endsInMs) {
      const at = now();
      const known = windowOf(key, at);
      const endsAt = at + endsInMs;
      if (endsAt - known.endsAt > length / 2) {
        windows.set(key, { ...known, count, endsAt, refunded: 0 });
        // Points of the replaced window must not be refunded.
        known.endsAt = at;
      } else Object.assign(known, { count, endsAt });
    },
    get size() {
      return windows.size;
    },
  };
}

function refund(window: Window, points: number, { limit, at }: { limit: number; at: number }): number {
  const left = window.endsAt - at;
  if (left <= 0 || window.refunded + points > REFUNDS_PER_POINT * limit) return 0;
  window.refunded += points;
  window.count = Math.max(0, window.count - points);
  return left;
}

function nextRetryAt(window: Window, share: number): number {
  const { endsAt } = window;
  const retryAt = Math.max(endsAt, window.retryAt);
  const next = retryAt + share;
  window.retryAt = next - endsAt > MAX_SPREAD_MS ? endsAt : next;
  return retryAt;
}

export interface WindowOptions {
  /** Points of a key in a window. */
  points: number;
  /** The window's length in seconds. */
  duration: number;
  /** In ms, from any origin; never goes back. */
  now?: () => number;
}

export interface Consumed {
  /** False if the key has fewer points left: then none was counted. */
  allowed: boolean;
  /** Points that are left in the window. */
  remaining: number;
  /** Time until the window ends, in ms. */
  endsInMs: number;
  /**
   * Returns the points to the window, once, and the time until it ends, in ms. 0 if the points stay counted: the window
   * has ended, or has got back as many as it may.
   */
  giveBack: () => number;
  /** Time after which to come again if the request is rejected, in ms. Each call returns the next time of the key. */
  returnInMs: () => number;
}

/**
 * Rejected requests return one after the other, from the window's end on, as many in a window as it has points: if all
 * returned at its end, the next window would reject all but a few. This long after the window's end the sequence begins
 * again, so that no wait becomes longer.
 */
const MAX_SPREAD_MS = 15_000;

/** A window gets back this many times its points, so that the requests that are read in it and then rejected are bounded. */
const GIVEN_BACK_PER_POINT = 4;

interface Window {
  count: number;
  givenBack: number;
  endsAt: number;
  /** The time for the next rejected request to return, if the window ends earlier. Passes to the next window. */
  returnsAt: number;
}

export interface FixedWindows {
  consume(key: string, points: number): Consumed;
  /** Points that are left in the key's window; begins none. */
  remaining: (key: string) => number;
  /** Replaces what is counted in the key's window, and when it ends. A much later end is that of the next window. */
  set(key: string, count: number, endsInMs: number): void;
  /** Keys that are kept: those with a window, and those whose rejected requests are still to come again. */
  readonly size: number;
}

/** Counts points of keys in memory, in windows that begin with a key's first request. */
export function createFixedWindows(options: WindowOptions): FixedWindows {
  const { points: limit, duration, now = () => performance.now() } = options;
  const length = duration * 1000;
  const windows = new Map<string, Window>();
  let sweptAt = now();

  function sweep(at: number): void {
    if (at - sweptAt < length) return;
    sweptAt = at;
    for (const [key, { endsAt, returnsAt }] of windows) if (endsAt <= at && returnsAt <= at) windows.delete(key);
  }

  function windowOf(key: string, at: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    sweep(at);
    const begun = { count: 0, givenBack: 0, endsAt: at + length, returnsAt: known?.returnsAt ?? at };
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
        giveBack: () => {
          const left = counted ? giveBack(window, points, { limit, at: now() }) : 0;
          counted = false;
          return left;
        },
        returnInMs: () => nextReturn(windowOf(key, now()), (points * length) / limit) - now(),
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
        windows.set(key, { ...known, count, endsAt, givenBack: 0 });
        // What was consumed in it is no longer counted, and can't be given back.
        known.endsAt = at;
      } else Object.assign(known, { count, endsAt });
    },
    get size() {
      return windows.size;
    },
  };
}

function giveBack(window: Window, points: number, { limit, at }: { limit: number; at: number }): number {
  const left = window.endsAt - at;
  if (left <= 0 || window.givenBack + points > GIVEN_BACK_PER_POINT * limit) return 0;
  window.givenBack += points;
  // `set` may have replaced the count by a smaller one.
  window.count = Math.max(0, window.count - points);
  return left;
}

/** The next time of the sequence, which goes on by `share` ms. */
function nextReturn(window: Window, share: number): number {
  const { endsAt } = window;
  const returnsAt = Math.max(endsAt, window.returnsAt);
  const next = returnsAt + share;
  window.returnsAt = next - endsAt > MAX_SPREAD_MS ? endsAt : next;
  return returnsAt;
}

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
  /** Returns the points to the window; false if the window has ended or they were returned before. */
  giveBack: () => boolean;
  /** Time after which to come again if the request is rejected, in ms. Each call returns the next time of the key. */
  returnInMs: () => number;
}

/**
 * Rejected requests return one after the other, from the window's end on, as many in a window as it has points: if all returned at its end, the next window would reject all but a few. This long after the window's end
 * the sequence begins again, so that no wait becomes longer.
 */
const MAX_SPREAD_MS = 15_000;

interface Window {
  count: number;
  endsAt: number;
  /** The time for the next rejected request to return, if the window ends earlier. Passes to the next window. */
  returnsAt: number;
}

export interface FixedWindows {
  consume(key: string, points: number): Consumed;
  /** Replaces what is counted in the key's window, and when it ends. */
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
    const begun = { count: 0, endsAt: at + length, returnsAt: known?.returnsAt ?? at };
    windows.set(key, begun);
    return begun;
  }

  function giveBack(key: string, window: Window, points: number): boolean {
    if (windows.get(key) !== window || window.endsAt <= now()) return false;
    window.count -= points;
    return true;
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
          const given = counted && giveBack(key, window, points);
          counted = false;
          return given;
        },
        returnInMs: () => nextReturn(windowOf(key, now()), (points * length) / limit) - now(),
      };
    },
    set(key, count, endsInMs) {
      const at = now();
      Object.assign(windowOf(key, at), { count, endsAt: at + endsInMs });
    },
    get size() {
      return windows.size;
    },
  };
}

/** The next time of the sequence, which goes on by `share` ms. */
function nextReturn(window: Window, share: number): number {
  const { endsAt } = window;
  const returnsAt = Math.max(endsAt, window.returnsAt);
  const next = returnsAt + share;
  window.returnsAt = next - endsAt > MAX_SPREAD_MS ? endsAt : next;
  return returnsAt;
}

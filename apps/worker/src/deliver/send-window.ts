const smallest = 2;
const first = 8;

/** A round trip may take so much longer than the fastest, beside twice its time, before it counts as queueing, in ms. */
const slackMs = 10;

/** How many requests to one endpoint may be under way: few until it has answered well, fewer when it fails. */
export interface SendWindow {
  readonly size: number;
  /**
   * It answered well after `durationMs`: one more, so that the window doubles with each round; but not when answers
   * have become slow, because then requests only wait in line.
   */
  widen(durationMs: number): void;
  /** It failed: half as many. Eight requests that hang together leave two. */
  narrow(): void;
}

/** `max` bounds it; an endpoint that is known to fail starts at the smallest. */
export function createSendWindow(max: number, failing: boolean): SendWindow {
  let size = Math.min(max, failing ? smallest : first);
  let fastestMs = Number.POSITIVE_INFINITY;
  return {
    get size() {
      return size;
    },
    widen: (durationMs) => {
      fastestMs = Math.min(fastestMs, durationMs);
      if (durationMs <= 2 * fastestMs + slackMs) size = Math.min(max, size + 1);
    },
    narrow: () => {
      size = Math.min(max, Math.max(smallest, Math.floor(size / 2)));
    },
  };
}

const smallest = 2;
const first = 8;

/** A response is slow, because requests queue at the receiver, when it takes longer than twice the fastest one plus this. */
const slackMs = 10;

/** The maximum of requests in flight to one endpoint, like TCP's congestion window. */
export interface SendWindow {
  readonly size: number;
  /** After a 2xx: adds one unless the response was slow, so that the window doubles with each round trip. */
  widen(durationMs: number): void;
  /** After a failure: halves the window. */
  narrow(): void;
}

/** At most `max`; a failing endpoint starts with the smallest. */
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

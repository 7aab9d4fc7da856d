const smallest = 2;
const first = 8;

/** A response counts as queued when it takes longer than twice the fastest one and so many ms. */
const slackMs = 10;

/** How many requests to one endpoint may be in flight: few at first, more while it responds well, fewer when it fails. */
export interface SendWindow {
  readonly size: number;
  /**
   * A 2xx after `durationMs`: one more, so that the window doubles with each round trip; but not when responses have
   * become slow, because then requests queue at the receiver.
   */
  widen(durationMs: number): void;
  /** A failure: half as many. Eight requests that time out together leave two. */
  narrow(): void;
}

/** At most `max`; an endpoint that is known to fail starts with the smallest. */
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

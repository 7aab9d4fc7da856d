const smallest = 2;
const first = 8;

/** How many requests to one endpoint may be under way: few until it has answered well, fewer when it fails. */
export interface SendWindow {
  readonly size: number;
  /** It answered well: one more, so that the window doubles with each round. */
  widen(): void;
  /** It failed: half as many. Eight requests that hang together leave two. */
  narrow(): void;
}

/** `max` bounds it; an endpoint that is known to fail starts at the smallest. */
export function createSendWindow(max: number, failing: boolean): SendWindow {
  let size = Math.min(max, failing ? smallest : first);
  return {
    get size() {
      return size;
    },
    widen: () => {
      size = Math.min(max, size + 1);
    },
    narrow: () => {
      size = Math.min(max, Math.max(smallest, Math.floor(size / 2)));
    },
  };
}

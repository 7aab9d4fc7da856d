/** What one slice may use of the connections to its origin, until it is disposed of. */
export interface ConnectionShare extends Disposable {
  /** Requests at once, at least one. Changes as other slices come and go. */
  readonly size: number;
}

/**
 * Divides the connections to each origin among the slices that send to it at the moment, so that a request does not wait
 * in line inside this process: its waiting would count as the receiver's time, and if this process died, it would be sent
 * only after its lease. Beyond as many slices as connections some wait all the same.
 */
export interface ConnectionShares {
  /** Takes part in what there is for the scheme, host and port of `url`. */
  join(url: string): ConnectionShare;
}

export function createConnectionShares(connectionsPerOrigin: number): ConnectionShares {
  const members = new Map<string, number>();
  return {
    join(url) {
      const origin = URL.parse(url)?.origin ?? url;
      const count = (): number => members.get(origin) ?? 0;
      members.set(origin, count() + 1);
      return {
        get size() {
          return Math.max(1, Math.floor(connectionsPerOrigin / count()));
        },
        [Symbol.dispose]() {
          if (count() > 1) members.set(origin, count() - 1);
          else members.delete(origin);
        },
      };
    },
  };
}

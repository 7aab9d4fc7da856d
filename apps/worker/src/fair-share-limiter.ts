/** Something that a worker has so much of, divided among the accounts. */
export interface FairShareLimiter {
  readonly total: number;
  readonly free: number;
  heldBy(accountId: string): number;
  allows(accountId: string, units: number): boolean;
  /** Counts `units` as the account's until they are disposed of, whether it may have them or not. */
  take(accountId: string, units: number): Disposable;
}

/**
 * An account may have as much as it leaves free: half of all if it is alone, a third if another one wants as much, of k
 * the (k+1)-th part, and as much is there at once for whoever comes next. (Dynamic thresholds, as switches share out their
 * buffers: Choudhury and Hahne, 1998.)
 */
export function createFairShareLimiter(total: number): FairShareLimiter {
  const held = new Map<string, number>();
  let free = total;
  const heldBy = (accountId: string): number => held.get(accountId) ?? 0;
  const count = (accountId: string, units: number): void => {
    free -= units;
    const sum = heldBy(accountId) + units;
    if (sum > 0) held.set(accountId, sum);
    else held.delete(accountId);
  };
  return {
    total,
    get free() {
      return free;
    },
    heldBy,
    allows: (accountId, units) => heldBy(accountId) + units <= free,
    take(accountId, units) {
      count(accountId, units);
      return { [Symbol.dispose]: () => count(accountId, -units) };
    },
  };
}

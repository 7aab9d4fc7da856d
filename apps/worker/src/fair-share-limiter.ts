/** A limited resource of a worker, shared among the accounts. */
export interface FairShareLimiter {
  readonly total: number;
  readonly free: number;
  heldBy(accountId: string): number;
  allows(accountId: string, units: number): boolean;
  /** Counts `units` for the account until they are disposed of, without checking `allows`. */
  take(accountId: string, units: number): Disposable;
}

/**
 * An account may use as much as remains free: half when it is alone, a third when another account wants as much, 1/(k+1)
 * with k accounts; the same share is free at once for the next account. (Dynamic thresholds of switch buffers: Choudhury
 * and Hahne, 1998.)
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

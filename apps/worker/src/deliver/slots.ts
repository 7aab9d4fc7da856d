/** Waits for slots. */
export interface Waiter {
  readonly id: string;
  /** Called once when the account may take what was wanted. Must not throw. */
  resume(): void;
}

/**
 * A limited resource of a worker, shared fairly among the accounts: one may use as much as remains free, which is half
 * when it is alone and 1/(k+1) with k accounts, so that the same share is free at once for the next one. (Dynamic
 * thresholds of switch buffers: Choudhury and Hahne, 1998.)
 */
export interface Slots {
  readonly total: number;
  /** Takes at most `wanted` and returns how many; 0, and a waiting `waiter`, when hardly any are left for the account. */
  takeSome(accountId: string, wanted: number, waiter?: Waiter): number;
  /** Takes all or none, and has `waiter` wait. When none are in use, any number is allowed. */
  takeAll(accountId: string, units: number, waiter: Waiter): boolean;
  give(accountId: string, units: number): void;
  isWaiting(id: string): boolean;
}

/** Fewer are not worth a claim. */
const fewest = 16;

export function createSlots(total: number): Slots {
  const held = new Map<string, number>();
  const waiting = new Map<string, Map<string, { units: number; waiter: Waiter }>>();
  let free = total;
  let isServing = false;

  const heldBy = (accountId: string): number => held.get(accountId) ?? 0;
  const count = (accountId: string, units: number): void => {
    free -= units;
    const sum = heldBy(accountId) + units;
    if (sum > 0) held.set(accountId, sum);
    else held.delete(accountId);
  };
  const fits = (accountId: string, units: number): boolean => free === total || heldBy(accountId) + units <= free;
  const wait = (accountId: string, units: number, waiter: Waiter): void => {
    const waiters = waiting.get(accountId) ?? new Map();
    waiting.set(accountId, waiters.set(waiter.id, { units, waiter }));
  };
  const serve = (): void => {
    isServing = false;
    // An account that was served goes to the end, and is met there again.
    for (const [accountId, waiters] of waiting) {
      const [first] = waiters.values();
      if (first === undefined || !fits(accountId, first.units)) {
        // It would wait for ever if smaller ones of others took what becomes free.
        if (heldBy(accountId) === 0) return;
        continue;
      }
      waiters.delete(first.waiter.id);
      waiting.delete(accountId);
      if (waiters.size > 0) waiting.set(accountId, waiters);
      first.waiter.resume();
    }
  };
  return {
    total,
    takeSome(accountId, wanted, waiter) {
      const least = Math.min(wanted, fewest, Math.ceil(total / 8));
      // As many as if they were taken one by one.
      const units = Math.min(wanted, Math.max(0, Math.floor((free - heldBy(accountId) + 1) / 2)));
      if (units < (waiter === undefined ? 1 : least)) {
        if (waiter !== undefined) wait(accountId, 2 * least - 1, waiter);
        return 0;
      }
      count(accountId, units);
      return units;
    },
    takeAll(accountId, units, waiter) {
      if (!fits(accountId, units)) {
        wait(accountId, units, waiter);
        return false;
      }
      count(accountId, units);
      return true;
    },
    give(accountId, units) {
      count(accountId, -units);
      if (waiting.size === 0 || isServing) return;
      isServing = true;
      queueMicrotask(serve);
    },
    isWaiting: (id) => [...waiting.values()].some((waiters) => waiters.has(id)),
  };
}

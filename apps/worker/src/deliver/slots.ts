import { type WaitLimits, waitForTurn } from '@finhook/delivery';

export interface Waiter {
  readonly id: string;
  /** Called once when the account may acquire the slots. Must not throw. */
  resume(): void;
}

/**
 * A limited resource of a worker, shared fairly among accounts: one may hold as much as remains free, which is half when
 * it is alone and 1/(k+1) with k accounts. (Dynamic thresholds of switch buffers: Choudhury and Hahne, 1998.)
 */
export interface Slots {
  /** Takes at most `wanted` and returns the number. If few are left for the account, it takes 0 and adds `waiter`. */
  acquireSome(accountId: string, wanted: number, waiter?: Waiter): number;
  /** Takes all and returns true, or takes none and adds `waiter`. When none are in use, any number is allowed. */
  tryAcquire(accountId: string, units: number, waiter: Waiter): boolean;
  release(accountId: string, units: number): void;
  /** True if the account, or one that holds none, can take another one. */
  hasRoom(accountId: string | undefined): boolean;
  isWaiting(id: string): boolean;
  /** Removes the waiter. */
  cancel(accountId: string, id: string): void;
}

/** With a waiter, `acquireSome` takes at least this many: a smaller claim isn't worth its statement. */
const minClaim = 16;

export function createFairSlots(total: number): Slots {
  const held = new Map<string, number>();
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
  // Prevents starvation: an account without slots goes first.
  const waiters = createWaiters(fits, (accountId) => heldBy(accountId) === 0);
  const serve = (): void => {
    isServing = false;
    waiters.serve();
  };
  const serveSoon = (): void => {
    if (isServing) return;
    isServing = true;
    queueMicrotask(serve);
  };
  return {
    acquireSome(accountId, wanted, waiter) {
      const least = waiter === undefined ? 1 : Math.min(wanted, minClaim, Math.ceil(total / 8));
      // The same number as one by one; `least` of them fit from a sum of 2 · least − 1 on.
      const units = Math.min(wanted, Math.max(0, Math.floor((free - heldBy(accountId) + 1) / 2)));
      if (units < least) {
        if (waiter !== undefined) waiters.add(accountId, 2 * least - 1, waiter);
        return 0;
      }
      count(accountId, units);
      return units;
    },
    tryAcquire(accountId, units, waiter) {
      const isAllowed = fits(accountId, units);
      if (isAllowed) count(accountId, units);
      else waiters.add(accountId, units, waiter);
      return isAllowed;
    },
    release(accountId, units) {
      count(accountId, -units);
      serveSoon();
    },
    hasRoom: (accountId) => (accountId === undefined ? free > 0 : fits(accountId, 1)),
    isWaiting: waiters.has,
    cancel(accountId, id) {
      waiters.remove(accountId, id);
      // It may have blocked smaller ones of other accounts.
      serveSoon();
    },
  };
}

interface Wanted {
  readonly accountId: string;
  readonly units: number;
  /** The waiter's id. */
  readonly id: string;
}

/** Waits for all units. Resolves to false, without any, when a limit ends the wait. */
export function acquire(slots: Slots, { accountId, units, id }: Wanted, limits: WaitLimits): Promise<boolean> {
  return waitForTurn(limits, (onTurn) => {
    const attempt = (): void => {
      if (slots.tryAcquire(accountId, units, { id, resume: attempt })) onTurn();
    };
    attempt();
    return () => slots.cancel(accountId, id);
  });
}

interface Waiting {
  readonly units: number;
  readonly waiter: Waiter;
}

/** Waiters by account; accounts take turns. Adding a waiter again replaces it. */
function createWaiters(
  fits: (accountId: string, units: number) => boolean,
  isBlocking: (accountId: string) => boolean,
) {
  const accounts = new Map<string, Map<string, Waiting>>();
  return {
    add(accountId: string, units: number, waiter: Waiter): void {
      const waiters = accounts.get(accountId) ?? new Map<string, Waiting>();
      accounts.set(accountId, waiters.set(waiter.id, { units, waiter }));
    },
    remove(accountId: string, id: string): void {
      const waiters = accounts.get(accountId);
      if (waiters?.delete(id) === true && waiters.size === 0) accounts.delete(accountId);
    },
    has: (id: string): boolean => [...accounts.values()].some((waiters) => waiters.has(id)),
    /** Resumes those that fit, one of each account per turn. */
    serve(): void {
      for (const [accountId, waiters] of accounts) {
        const [first] = waiters.values();
        if (first === undefined || !fits(accountId, first.units)) {
          if (isBlocking(accountId)) return;
          continue;
        }
        waiters.delete(first.waiter.id);
        accounts.delete(accountId);
        if (waiters.size > 0) accounts.set(accountId, waiters);
        first.waiter.resume();
      }
    },
  };
}

import { type WaitLimits, waitForTurn } from '@finhook/delivery';

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
  /** Takes at most `wanted` and returns how many; 0, and a waiting `waiter`, when hardly any are left for the account. */
  takeSome(accountId: string, wanted: number, waiter?: Waiter): number;
  /** Takes all or none, and has `waiter` wait. When none are in use, any number is allowed. */
  takeAll(accountId: string, units: number, waiter: Waiter): boolean;
  /** Ends the wait of the waiter with this id. */
  leave(accountId: string, id: string): void;
  give(accountId: string, units: number): void;
  isWaiting(id: string): boolean;
}

/** Fewer are not worth a claim. */
const fewest = 16;

export function createSlots(total: number): Slots {
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
  // One whose account holds none would wait for ever if smaller ones of others took what becomes free.
  const line = createLine(fits, (accountId) => heldBy(accountId) === 0);
  const serve = (): void => {
    isServing = false;
    line.serve();
  };
  const serveSoon = (): void => {
    if (isServing) return;
    isServing = true;
    queueMicrotask(serve);
  };
  const takeAll = (accountId: string, units: number, waiter: Waiter): boolean => {
    const isAllowed = fits(accountId, units);
    if (isAllowed) count(accountId, units);
    else line.add(accountId, units, waiter);
    return isAllowed;
  };
  return {
    takeSome(accountId, wanted, waiter) {
      const least = waiter === undefined ? 1 : Math.min(wanted, fewest, Math.ceil(total / 8));
      // As many as if they were taken one by one; `least` of them fit from a sum of 2 · least − 1 on.
      const units = Math.min(wanted, Math.max(0, Math.floor((free - heldBy(accountId) + 1) / 2)));
      if (units < least) {
        if (waiter !== undefined) line.add(accountId, 2 * least - 1, waiter);
        return 0;
      }
      count(accountId, units);
      return units;
    },
    takeAll,
    leave(accountId, id) {
      line.remove(accountId, id);
      // It may have kept smaller ones of others waiting.
      serveSoon();
    },
    give(accountId, units) {
      count(accountId, -units);
      serveSoon();
    },
    isWaiting: line.has,
  };
}

interface Wanted {
  readonly accountId: string;
  readonly units: number;
  /** Of the one that waits. */
  readonly id: string;
}

/** Takes all units as soon as they are free. Resolves to false, and has taken none, when a limit ends the wait before. */
export function takeWhenFree(slots: Slots, { accountId, units, id }: Wanted, limits: WaitLimits): Promise<boolean> {
  return waitForTurn(limits, (onTurn) => {
    const take = (): void => {
      if (slots.takeAll(accountId, units, { id, resume: take })) onTurn();
    };
    take();
    return () => slots.leave(accountId, id);
  });
}

interface Waiting {
  readonly units: number;
  readonly waiter: Waiter;
}

/** Waiters by account; accounts take turns, and each waiter is in line once. */
function createLine(fits: (accountId: string, units: number) => boolean, isBlocking: (accountId: string) => boolean) {
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
    /** Resumes those that fit. An account that was served goes to the end, and is met there again. */
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

import { createFairShareLimiter } from './fair-share-limiter.ts';

/** A semaphore of worker slots, shared fairly among the accounts; each slot holds an endpoint or a sync run. */
export interface AccountSlots {
  readonly size: number;
  /** True if an account may get no slot. Check before a claim. */
  readonly isCrowded: boolean;
  /**
   * Acquires a slot for `id` until it is disposed of. When the account has used its share, `id` waits and the result is
   * undefined.
   */
  acquire(accountId: string, id: string): Disposable | undefined;
  isWaiting(id: string): boolean;
  /** True if a slot may be requested, here or in the queue: a holder without work yields its slot then. */
  readonly isWanted: boolean;
  /**
   * Resumes the next waiting id whose account may have a slot. Call it whenever a run has ended, with or without a slot, so
   * that nothing waits while the worker is idle.
   */
  resumeNext(): void;
}

export interface AccountSlotsOptions {
  /** True while a previous run is ending. Such an id is skipped for now, because a resume would be lost. */
  readonly isActive?: (id: string) => boolean;
  /** Must not throw. */
  readonly resume: (id: string) => void;
}

/**
 * Slots of which a single account may have `perAccount`; waiting accounts take turns. A resumed id has left the queue and
 * must acquire its slot like any other.
 */
export function createAccountSlots(
  perAccount: number,
  { isActive = () => false, resume }: AccountSlotsOptions,
): AccountSlots {
  const slots = createFairShareLimiter(2 * perAccount);
  const waiting = new Map<string, Set<string>>();

  const firstIdle = (ids: ReadonlySet<string>): string | undefined => {
    for (const id of ids) if (!isActive(id)) return id;
    return undefined;
  };
  const takeNext = (): string | undefined => {
    for (const [accountId, ids] of waiting) {
      const id = slots.allows(accountId, 1) ? firstIdle(ids) : undefined;
      if (id === undefined) continue;
      ids.delete(id);
      waiting.delete(accountId);
      if (ids.size > 0) waiting.set(accountId, ids);
      return id;
    }
    return undefined;
  };
  return {
    size: slots.total,
    get isCrowded() {
      return slots.free <= perAccount;
    },
    acquire(accountId, id) {
      if (slots.allows(accountId, 1)) return slots.take(accountId, 1);
      waiting.set(accountId, (waiting.get(accountId) ?? new Set()).add(id));
      return undefined;
    },
    get isWanted() {
      return slots.free === 0 || waiting.size > 0;
    },
    isWaiting: (id) => [...waiting.values()].some((ids) => ids.has(id)),
    resumeNext() {
      const next = takeNext();
      if (next !== undefined) resume(next);
    },
  };
}

import { createFairShareLimiter } from './fair-share-limiter.ts';

/** A semaphore of worker slots, shared fairly among the accounts; each slot holds an endpoint or a sync run. */
export interface AccountSlots {
  readonly size: number;
  /** Whether an account may find no free slot: ask before claiming anything. */
  readonly isCrowded: boolean;
  /**
   * Takes a place for what `id` names until it is disposed of. Where its account has as many as it may have now, that
   * waits instead, and undefined is returned.
   */
  enter(accountId: string, id: string): Disposable | undefined;
  isWaiting(id: string): boolean;
  /** Whether anyone may be waiting for a slot, here or in the queue: a holder without work yields its slot then. */
  readonly isWanted: boolean;
  /**
   * Resumes what is next of all that waits, if its account may have a place. To be called whenever work has ended and is
   * no longer active, whether it had a place or not: then nothing waits while nothing is worked on.
   */
  resumeNext(): void;
}

export interface PlacesOptions {
  /** Whether a previous run is still ending: skipped for now, because a resume would be lost. */
  readonly isActive?: (id: string) => boolean;
  /** Must not throw. */
  readonly resume: (id: string) => void;
}

/**
 * Places of which an account by itself may have `perAccount`; accounts that wait take turns. What is resumed waits no
 * more, and has to ask for its place as anything else.
 */
export function createAccountSlots(
  perAccount: number,
  { isActive = () => false, resume }: PlacesOptions,
): AccountSlots {
  const places = createFairShareLimiter(2 * perAccount);
  const waiting = new Map<string, Set<string>>();

  const firstIdle = (ids: ReadonlySet<string>): string | undefined => {
    for (const id of ids) if (!isActive(id)) return id;
    return undefined;
  };
  const takeNext = (): string | undefined => {
    for (const [accountId, ids] of waiting) {
      const id = places.allows(accountId, 1) ? firstIdle(ids) : undefined;
      if (id === undefined) continue;
      ids.delete(id);
      waiting.delete(accountId);
      if (ids.size > 0) waiting.set(accountId, ids);
      return id;
    }
    return undefined;
  };
  return {
    size: places.total,
    get isCrowded() {
      return places.free <= perAccount;
    },
    enter(accountId, id) {
      if (places.allows(accountId, 1)) return places.take(accountId, 1);
      waiting.set(accountId, (waiting.get(accountId) ?? new Set()).add(id));
      return undefined;
    },
    get isWanted() {
      return places.free === 0 || waiting.size > 0;
    },
    isWaiting: (id) => [...waiting.values()].some((ids) => ids.has(id)),
    resumeNext() {
      const next = takeNext();
      if (next !== undefined) resume(next);
    },
  };
}

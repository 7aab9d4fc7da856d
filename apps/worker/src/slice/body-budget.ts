import { createFairShareLimiter } from '../fair-share-limiter.ts';

/** The room for large bodies in the memory of this process, divided among the accounts. */
export interface BodyBudget {
  /**
   * Resolves when there is room for `bytes` of the account, in the order of its calls, and keeps it until it is disposed
   * of. One always fits, however large. Resolves to undefined when `signal` aborts before.
   */
  take(accountId: string, bytes: number, signal: AbortSignal): Promise<Disposable | undefined>;
}

interface Waiter {
  readonly accountId: string;
  readonly bytes: number;
  readonly admit: (room: Disposable) => void;
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  const room = createFairShareLimiter(maxBytes);
  const waiting = new Set<Waiter>();

  const roomOf = ({ accountId, bytes }: Waiter): Disposable => {
    const taken = room.take(accountId, bytes);
    return {
      [Symbol.dispose]() {
        taken[Symbol.dispose]();
        admit();
      },
    };
  };
  const admit = () => {
    const passed = new Set<string>();
    for (const waiter of waiting) {
      const { accountId, bytes } = waiter;
      if (passed.has(accountId)) continue;
      if (room.free === room.total || room.allows(accountId, bytes)) {
        waiting.delete(waiter);
        waiter.admit(roomOf(waiter));
      } else if (room.heldBy(accountId) === 0) {
        // It would wait for ever if smaller ones of others took what becomes free.
        return;
      } else {
        passed.add(accountId);
      }
    }
  };
  return {
    take(accountId, bytes, signal) {
      const { promise, resolve } = Promise.withResolvers<Disposable | undefined>();
      const waiter = { accountId, bytes, admit: resolve };
      const giveUp = () => {
        if (waiting.delete(waiter)) admit();
        resolve(undefined);
      };
      if (signal.aborted) return Promise.resolve(undefined);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(waiter);
      admit();
      return promise;
    },
  };
}

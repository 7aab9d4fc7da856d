/** The room for large bodies in the memory of this process. */
export interface BodyBudget {
  /**
   * Resolves when there is room for `bytes`, in the order of the calls, and keeps it until it is disposed of. One always
   * fits, however large. Resolves to undefined when `signal` aborts before.
   */
  take(bytes: number, signal: AbortSignal): Promise<Disposable | undefined>;
}

interface Waiter {
  readonly bytes: number;
  readonly admit: (room: Disposable) => void;
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  const waiting = new Set<Waiter>();
  let taken = 0;

  const roomOf = (bytes: number): Disposable => {
    taken += bytes;
    return {
      [Symbol.dispose]() {
        taken -= bytes;
        admit();
      },
    };
  };
  const admit = () => {
    for (const waiter of waiting) {
      if (taken > 0 && taken + waiter.bytes > maxBytes) return;
      waiting.delete(waiter);
      waiter.admit(roomOf(waiter.bytes));
    }
  };
  return {
    take(bytes, signal) {
      const { promise, resolve } = Promise.withResolvers<Disposable | undefined>();
      const waiter = { bytes, admit: resolve };
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

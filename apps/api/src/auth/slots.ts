import type { ServerResponse } from 'node:http';

/** Acquires slots of an account, one by default, and returns what releases them; throws when too few are free. */
export type AcquireSlots = (accountId: string, slots?: number) => () => void;

/** As `AcquireSlots`, but waits for slots; a client whose connection closes meanwhile waits no longer. */
export type AwaitSlots = (accountId: string, client: Client, slots?: number) => Promise<() => void>;

type Client = Pick<ServerResponse, 'closed' | 'once' | 'off'>;

interface Waiter {
  slots: number;
  admit(release: () => void): void;
}

interface AccountSlots {
  taken: number;
  /** In the order of their requests. */
  readonly waiting: Set<Waiter>;
}

interface QueueOptions {
  /** Requests of an account that may wait at once. */
  length: number;
  /** Time that a request may wait, in ms. */
  waitMs: number;
}

/**
 * A semaphore per account in this process: `max` slots, beyond which it throws. A request for more than `max` slots
 * needs all of them: it is admitted when no other slot is taken.
 */
export function createSlots(max: number, makeError: () => Error): AcquireSlots {
  const { tryAcquire } = createSemaphores(max);
  return (accountId, slots = 1) => {
    const release = tryAcquire(accountId, Math.min(slots, max));
    if (release === undefined) throw makeError();
    return release;
  };
}

/**
 * A semaphore per account as `createSlots`, with a queue before it: requests that find too few free slots wait, and are
 * admitted in the order in which they came. Throws when the queue is full, and after `waitMs`.
 */
export function createQueuedSlots(max: number, queue: QueueOptions, makeError: () => Error): AwaitSlots {
  const { tryAcquire, wait, leave, waiting } = createSemaphores(max);
  return async (accountId, client, slots = 1) => {
    const wanted = Math.min(slots, max);
    const release = tryAcquire(accountId, wanted);
    if (release) return release;
    if (queue.waitMs === 0 || client.closed || waiting(accountId) >= queue.length) throw makeError();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { slots: wanted, admit: resolve };
    const giveUp = (): void => {
      leave(accountId, waiter);
      reject(makeError());
    };
    const timer = setTimeout(giveUp, queue.waitMs);
    client.once('close', giveUp);
    wait(accountId, waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      client.off('close', giveUp);
    });
  };
}

function createSemaphores(max: number) {
  const accounts = new Map<string, AccountSlots>();

  function take(accountId: string, account: AccountSlots, slots: number): () => void {
    accounts.set(accountId, account);
    account.taken += slots;
    return () => {
      account.taken -= slots;
      admitNext(accountId, account);
    };
  }

  function admitNext(accountId: string, account: AccountSlots): void {
    for (const waiter of account.waiting) {
      if (account.taken + waiter.slots > max) return;
      account.waiting.delete(waiter);
      waiter.admit(take(accountId, account, waiter.slots));
    }
    if (account.taken === 0) accounts.delete(accountId);
  }

  return {
    /** Undefined if too few slots are free, or others wait for them. */
    tryAcquire: (accountId: string, slots: number): (() => void) | undefined => {
      const account = accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
      if (account.waiting.size > 0 || account.taken + slots > max) return undefined;
      return take(accountId, account, slots);
    },
    waiting: (accountId: string): number => accounts.get(accountId)?.waiting.size ?? 0,
    /** The account has too few free slots: it is known. */
    wait: (accountId: string, waiter: Waiter): void => void accounts.get(accountId)?.waiting.add(waiter),
    leave: (accountId: string, waiter: Waiter): void => {
      const account = accounts.get(accountId);
      // The next one may need fewer slots.
      if (account?.waiting.delete(waiter)) admitNext(accountId, account);
    },
  };
}

import type { ServerResponse } from 'node:http';

/** Acquires slots of an account, one by default, and returns what releases them; throws when too few are free. */
export type AcquireSlots = (accountId: string, slots?: number) => () => void;

/** As `AcquireSlots`, but waits for slots; a client whose connection closes meanwhile waits no longer. */
export type AwaitSlots = (accountId: string, client: Client, slots?: number) => Promise<() => void>;

type Client = Pick<ServerResponse, 'closed' | 'once' | 'off'>;

interface Waiter {
  slots: number;
  /** Slots that later requests got while this one was the first to wait. */
  overtakenBy: number;
  /** Releases the slots; absent while it waits. */
  release?: () => void;
  admit?: (release: () => void) => void;
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
  const { enter, leave } = createSemaphores(max);
  return (accountId, slots = 1) => {
    const waiter = enter(accountId, slots);
    if (waiter.release) return waiter.release;
    leave(accountId, waiter);
    throw makeError();
  };
}

/**
 * A semaphore per account as `createSlots`, with a queue before it: requests that find too few free slots wait, and are
 * admitted in the order in which they came. Only where the first one needs more slots than are free may later ones take
 * those, at most `max` of them, so that it is admitted soon. Throws when the queue is full, and after `waitMs`.
 */
export function createQueuedSlots(max: number, queue: QueueOptions, makeError: () => Error): AwaitSlots {
  const { enter, leave, waiting } = createSemaphores(max);
  return async (accountId, client, slots = 1) => {
    const waiter = enter(accountId, slots);
    if (waiter.release) return waiter.release;
    if (queue.waitMs === 0 || client.closed || waiting(accountId) > queue.length) {
      leave(accountId, waiter);
      throw makeError();
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    waiter.admit = resolve;
    const giveUp = (): void => {
      leave(accountId, waiter);
      reject(makeError());
    };
    const timer = setTimeout(giveUp, queue.waitMs);
    client.once('close', giveUp);
    return promise.finally(() => {
      clearTimeout(timer);
      client.off('close', giveUp);
    });
  };
}

function createSemaphores(max: number) {
  const accounts = new Map<string, AccountSlots>();

  function take(accountId: string, account: AccountSlots, slots: number): () => void {
    account.taken += slots;
    return () => {
      account.taken -= slots;
      admitNext(accountId, account);
    };
  }

  function admitNext(accountId: string, account: AccountSlots): void {
    let first: Waiter | undefined;
    for (const waiter of account.waiting) {
      if (account.taken === max) break;
      const { slots } = waiter;
      const fits = account.taken + slots <= max;
      if (fits && (first === undefined || first.overtakenBy + slots <= max)) {
        if (first) first.overtakenBy += slots;
        account.waiting.delete(waiter);
        waiter.release = take(accountId, account, slots);
        waiter.admit?.(waiter.release);
      } else first ??= waiter;
    }
    if (account.taken === 0 && account.waiting.size === 0) accounts.delete(accountId);
  }

  return {
    /** Takes slots, of which `max` are all, or else waits for them. */
    enter: (accountId: string, slots: number): Waiter => {
      const account = accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
      accounts.set(accountId, account);
      const waiter: Waiter = { slots: Math.min(slots, max), overtakenBy: 0 };
      account.waiting.add(waiter);
      admitNext(accountId, account);
      return waiter;
    },
    waiting: (accountId: string): number => accounts.get(accountId)?.waiting.size ?? 0,
    leave: (accountId: string, waiter: Waiter): void => {
      const account = accounts.get(accountId);
      // The next one may need fewer slots.
      if (account?.waiting.delete(waiter)) admitNext(accountId, account);
    },
  };
}

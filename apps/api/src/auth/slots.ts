import type { ServerResponse } from 'node:http';

/** Returns a function that releases the slots. Throws if too few are free. */
export type AcquireSlots = (accountId: string, slots?: number) => () => void;

/** `AcquireSlots` that waits, until the connection of the client closes. */
export type AwaitSlots = (accountId: string, client: Client, slots?: number) => Promise<() => void>;

type Client = Pick<ServerResponse, 'closed' | 'once' | 'off'>;

interface Waiter {
  slots: number;
  /** Slots acquired by later requests while this one was the first to wait. */
  overtakenBy: number;
  /** Absent while it waits. */
  release?: () => void;
  admit?: (release: () => void) => void;
}

interface AccountSlots {
  taken: number;
  readonly waiting: Set<Waiter>;
}

interface QueueOptions {
  length: number;
  waitMs: number;
}

/** A semaphore per account with `max` slots. A request for more than `max` needs all of them. */
export function createSlots(max: number, makeError: () => Error): AcquireSlots {
  const { enter, leave } = createSemaphores(max);
  return (accountId, slots = 1) => {
    const waiter = enter(accountId, slots);
    if (waiter.release) return waiter.release;
    leave(accountId, waiter);
    throw makeError();
  };
}

/** A queue before `createSlots`. Up to `max` slots may overtake a first request that needs more than are free. */
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
      if (account?.waiting.delete(waiter)) admitNext(accountId, account);
    },
  };
}

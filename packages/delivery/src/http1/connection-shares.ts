import { FewestFirst } from './fewest-first.ts';

export type Owner = { readonly endpointId: string; readonly accountId: string };

type AccountShare = {
  readonly id: string;
  held: number;
  readonly waiting: FewestFirst<EndpointShare>;
};

type EndpointShare = {
  readonly id: string;
  held: number;
  readonly account: AccountShare;
  readonly waiting: Set<() => void>;
};

/**
 * The connections to one origin, shared fairly. An account may take one while it holds fewer than remain free: half
 * when it is alone. While another endpoint waits, an endpoint may hold a quarter. The next connection goes to the
 * waiting account that holds the fewest, there to the endpoint that holds the fewest, and there to the longest wait.
 */
export class ConnectionShares {
  readonly #quarter: number;
  readonly #accounts = new Map<string, AccountShare>();
  readonly #endpoints = new Map<string, EndpointShare>();
  readonly #waiting = new FewestFirst<AccountShare>();
  readonly #later: (serve: () => void) => void;
  #endpointsWaiting = 0;
  #free: number;
  /** Scheduled: waiters go before new requests. */
  #isServing = false;

  /** @param later schedules its function; by default after the arrived input was read */
  constructor(limit: number, later: (serve: () => void) => void = setImmediate) {
    this.#quarter = Math.max(1, Math.floor(limit / 4));
    this.#free = limit;
    this.#later = later;
  }

  get isUnused(): boolean {
    return this.#endpoints.size === 0;
  }

  tryAcquire(owner: Owner): boolean {
    const share = this.#shareOf(owner);
    const isAllowed = !this.#isServing && this.#mayTake(share);
    if (isAllowed) this.#count(share, 1);
    else this.#forget(share);
    return isAllowed;
  }

  /** Calls `onTurn` once, with a connection taken. The returned function ends the wait. */
  wait(owner: Owner, onTurn: () => void): () => void {
    const share = this.#shareOf(owner);
    // A set needs distinct functions.
    const turn = () => onTurn();
    share.waiting.add(turn);
    if (share.waiting.size === 1) this.#enter(share);
    return () => {
      if (!share.waiting.has(turn)) return;
      this.#endWait(share, turn);
      this.#forget(share);
      // An endpoint at its quarter may be the only one now.
      this.#serveSoon();
    };
  }

  release(owner: Owner): void {
    const share = this.#shareOf(owner);
    this.#count(share, -1);
    this.#forget(share);
    this.#serveSoon();
  }

  #shareOf({ endpointId, accountId }: Owner): EndpointShare {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const account = this.#accounts.get(accountId) ?? { id: accountId, held: 0, waiting: new FewestFirst() };
    this.#accounts.set(accountId, account);
    const share = { id: endpointId, held: 0, account, waiting: new Set<() => void>() };
    this.#endpoints.set(endpointId, share);
    return share;
  }

  #mayTake(share: EndpointShare): boolean {
    const isAlone = this.#endpointsWaiting === (share.waiting.size > 0 ? 1 : 0);
    return share.account.held < this.#free && (isAlone || share.held < this.#quarter);
  }

  #count(share: EndpointShare, change: 1 | -1): void {
    const { account } = share;
    const isWaiting = share.waiting.size > 0;
    const isAccountWaiting = account.waiting.size > 0;
    if (isWaiting) account.waiting.delete(share);
    if (isAccountWaiting) this.#waiting.delete(account);
    this.#free -= change;
    share.held += change;
    account.held += change;
    if (isWaiting) account.waiting.add(share);
    if (isAccountWaiting) this.#waiting.add(account);
  }

  #enter(share: EndpointShare): void {
    if (share.account.waiting.size === 0) this.#waiting.add(share.account);
    share.account.waiting.add(share);
    this.#endpointsWaiting += 1;
  }

  #endWait(share: EndpointShare, turn: () => void): void {
    share.waiting.delete(turn);
    if (share.waiting.size > 0) return;
    share.account.waiting.delete(share);
    this.#endpointsWaiting -= 1;
    if (share.account.waiting.size === 0) this.#waiting.delete(share.account);
  }

  #forget({ id, held, waiting, account }: EndpointShare): void {
    if (held + waiting.size > 0) return;
    this.#endpoints.delete(id);
    if (account.held + account.waiting.size === 0) this.#accounts.delete(account.id);
  }

  /** Writes requests together, which is cheaper than one between two reads. */
  #serveSoon(): void {
    if (this.#isServing || this.#endpointsWaiting === 0) return;
    this.#isServing = true;
    this.#later(() => this.#serve());
  }

  #serve(): void {
    this.#isServing = false;
    for (let share = this.#next(); share !== undefined; share = this.#next()) {
      const [turn] = share.waiting;
      if (turn === undefined) return;
      this.#endWait(share, turn);
      this.#count(share, 1);
      turn();
    }
  }

  /** An account's other endpoints hold more than its first, so only the first one is checked. */
  #next(): EndpointShare | undefined {
    for (const account of this.#waiting.inOrder()) {
      if (account.held >= this.#free) return undefined;
      const share = account.waiting.first();
      if (share !== undefined && this.#mayTake(share)) return share;
    }
    return undefined;
  }
}

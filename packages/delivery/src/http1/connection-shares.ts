import { FewestFirst } from './fewest-first.ts';

/** Who a connection is used for. Ids are unique among all accounts. */
export type Owner = { readonly endpointId: string; readonly accountId: string };

type AccountShare = {
  readonly id: string;
  held: number;
  /** Its endpoints that wait. */
  readonly waiting: FewestFirst<EndpointShare>;
};

type EndpointShare = {
  readonly id: string;
  held: number;
  readonly account: AccountShare;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
};

/**
 * The connections to one origin, shared fairly. An account may take one while it holds fewer than remain free: half when
 * it is alone, and half of what is left for each account that comes next. While another endpoint waits, an endpoint may
 * hold a quarter. Of those that wait, an account that holds the fewest is first, then its endpoint that holds the fewest,
 * then who waits longest: however many requests to slow receivers wait, a request to another one is next.
 */
export class ConnectionShares {
  readonly #quarter: number;
  readonly #accounts = new Map<string, AccountShare>();
  readonly #endpoints = new Map<string, EndpointShare>();
  /** Accounts with endpoints that wait. */
  readonly #waiting = new FewestFirst<AccountShare>();
  readonly #later: (serve: () => void) => void;
  #endpointsWaiting = 0;
  #free: number;
  /** Those that wait are served soon, and nobody takes one before them. */
  #isServing = false;

  /** @param later calls its function soon; by default after the input that has arrived was read */
  constructor(limit: number, later: (serve: () => void) => void = setImmediate) {
    this.#quarter = Math.max(1, Math.floor(limit / 4));
    this.#free = limit;
    this.#later = later;
  }

  /** True when none is held and nobody waits. */
  get isUnused(): boolean {
    return this.#endpoints.size === 0;
  }

  /** Takes one at once, or returns false. */
  take(owner: Owner): boolean {
    const share = this.#shareOf(owner);
    const isAllowed = !this.#isServing && this.#mayTake(share);
    if (isAllowed) this.#count(share, 1);
    else this.#forget(share);
    return isAllowed;
  }

  /** Calls `onTurn` once, when one was taken for the owner. The function that it returns ends the wait. */
  wait(owner: Owner, onTurn: () => void): () => void {
    const share = this.#shareOf(owner);
    // Two waits may have one function.
    const turn = () => onTurn();
    share.waiting.add(turn);
    if (share.waiting.size === 1) this.#enter(share);
    return () => {
      if (!share.waiting.has(turn)) return;
      this.#endWait(share, turn);
      this.#forget(share);
      // Another endpoint that was held to a quarter may be the only one now.
      this.#serveSoon();
    };
  }

  give(owner: Owner): void {
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

  /** Together, because requests that are made and written one after the other cost less than each between two reads. */
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

  /** The first of those that may take one. Of an account only its first endpoint may, if any: the others hold more. */
  #next(): EndpointShare | undefined {
    for (const account of this.#waiting.inOrder()) {
      if (account.held >= this.#free) return undefined;
      const share = account.waiting.first();
      if (share !== undefined && this.#mayTake(share)) return share;
    }
    return undefined;
  }
}

/** Who a connection is used for. Ids are unique among all accounts. */
export type Owner = { readonly endpointId: string; readonly accountId: string };

type EndpointShare = {
  held: number;
  readonly owner: Owner;
  /** By their place in the order of all that wait. */
  readonly waiting: Map<number, () => void>;
};

type Place = { readonly share: EndpointShare; readonly place: number };

/**
 * The connections to one origin, shared fairly. An account may take one while it holds fewer than remain free: half when
 * it is alone, and half of what is left for each account that comes next. While another endpoint waits, an endpoint may
 * hold a quarter. Of those that wait, an account that holds the fewest is first, then its endpoint that holds the fewest,
 * then who waits longest: however many requests to slow receivers wait, a request to another one is next.
 */
export class ConnectionShares {
  readonly #quarter: number;
  readonly #accounts = new Map<string, number>();
  readonly #endpoints = new Map<string, EndpointShare>();
  /** Those of the endpoints that wait. */
  readonly #waiting = new Set<EndpointShare>();
  #free: number;
  #order = 0;

  constructor(limit: number) {
    this.#quarter = Math.max(1, Math.floor(limit / 4));
    this.#free = limit;
  }

  /** True when none is held and nobody waits. */
  get isUnused(): boolean {
    return this.#endpoints.size === 0;
  }

  /** Takes one at once, or returns false. */
  take(owner: Owner): boolean {
    const share = this.#shareOf(owner);
    const isAllowed = this.#mayTake(share);
    if (isAllowed) this.#count(share, 1);
    else this.#forget(share);
    return isAllowed;
  }

  /** Calls `onTurn` once, when one was taken for the owner. The function that it returns ends the wait. */
  wait(owner: Owner, onTurn: () => void): () => void {
    const share = this.#shareOf(owner);
    const place = this.#order++;
    share.waiting.set(place, onTurn);
    this.#waiting.add(share);
    return () => {
      if (!share.waiting.delete(place)) return;
      this.#forget(share);
      // Another endpoint that was held to a quarter may be the only one now.
      this.#serve();
    };
  }

  give(owner: Owner): void {
    const share = this.#shareOf(owner);
    this.#count(share, -1);
    this.#forget(share);
    this.#serve();
  }

  #shareOf(owner: Owner): EndpointShare {
    const known = this.#endpoints.get(owner.endpointId);
    if (known !== undefined) return known;
    const share = { held: 0, owner, waiting: new Map() };
    this.#endpoints.set(owner.endpointId, share);
    return share;
  }

  #mayTake(share: EndpointShare): boolean {
    const isAlone = this.#waiting.size === 0 || (this.#waiting.size === 1 && this.#waiting.has(share));
    return this.#heldBy(share.owner.accountId) < this.#free && (isAlone || share.held < this.#quarter);
  }

  #heldBy(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }

  #count(share: EndpointShare, change: 1 | -1): void {
    const { accountId } = share.owner;
    this.#free -= change;
    share.held += change;
    const held = this.#heldBy(accountId) + change;
    if (held > 0) this.#accounts.set(accountId, held);
    else this.#accounts.delete(accountId);
  }

  #forget(share: EndpointShare): void {
    if (share.waiting.size === 0) this.#waiting.delete(share);
    if (share.held + share.waiting.size === 0) this.#endpoints.delete(share.owner.endpointId);
  }

  #serve(): void {
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
      const { share, place, onTurn } = turn;
      share.waiting.delete(place);
      if (share.waiting.size === 0) this.#waiting.delete(share);
      this.#count(share, 1);
      onTurn();
    }
  }

  /** The first of those that may take one. */
  #nextTurn(): { readonly share: EndpointShare; readonly place: number; readonly onTurn: () => void } | undefined {
    let next: { share: EndpointShare; place: number; onTurn: () => void } | undefined;
    for (const share of this.#waiting) {
      const [first] = share.waiting;
      if (first === undefined || !this.#mayTake(share)) continue;
      const [place, onTurn] = first;
      if (next === undefined || this.#comesBefore({ share, place }, next)) next = { share, place, onTurn };
    }
    return next;
  }

  #comesBefore(a: Place, b: Place): boolean {
    const byAccount = this.#heldBy(a.share.owner.accountId) - this.#heldBy(b.share.owner.accountId);
    return (byAccount || a.share.held - b.share.held || a.place - b.place) < 0;
  }
}

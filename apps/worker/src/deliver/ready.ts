import type { Claims } from './claims.ts';
import type { Delivery, Leases } from './leases.ts';
import type { Slots } from './slots.ts';

interface ReadyDeps {
  readonly claims: Pick<Claims, 'release'>;
  readonly leases: Leases;
  readonly slots: Slots;
}

/** Deliveries to one endpoint that are leased, have a slot, and are not sent yet. */
export class Ready {
  readonly #deps: ReadyDeps;
  readonly #accountId: string;
  #deliveries: Delivery[] = [];

  constructor(deps: ReadyDeps, accountId: string) {
    this.#deps = deps;
    this.#accountId = accountId;
  }

  get size(): number {
    return this.#deliveries.length;
  }

  get first(): Delivery | undefined {
    return this.#deliveries[0];
  }

  add(delivery: Delivery): void {
    this.#deliveries.push(delivery);
  }

  /** The first is sent from here on. */
  shift(): void {
    this.#deliveries.shift();
  }

  /** It was recorded, or is given back: its lease and its slot are free. */
  end(delivery: Delivery): void {
    this.#deps.leases.end(delivery);
    this.#deps.slots.give(this.#accountId, 1);
  }

  /**
   * Empties the list: all are due again, for whoever claims them. What can't be given back is free when its lease ends.
   * Undefined if there was nothing to give back.
   */
  giveBack(): Promise<void> | undefined {
    const deliveries = this.#deliveries;
    this.#deliveries = [];
    for (const delivery of deliveries) this.end(delivery);
    const held = deliveries.filter(({ isLost }) => !isLost).map(({ claim }) => claim);
    return held.length === 0 ? undefined : this.#deps.claims.release(held);
  }
}

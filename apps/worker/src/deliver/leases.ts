import { type ClaimedDelivery, type Core, extendLeases, repeat } from '@finhook/core';
import type { Slots } from './slots.ts';

/** A delivery that this worker may send: leased in the database, and extended there until it ends. It has a slot. */
export interface Delivery {
  claim: ClaimedDelivery;
  /** On the monotonic clock; the database's own clock decides. */
  leasedUntil: number;
  /** It is no longer leased with this token: another worker has it, or it is gone. */
  isLost: boolean;
  /** Whether this is its attempt at once after one that failed. */
  isRepeated?: boolean;
}

export interface Leases {
  /** Whether a lease with this token is held: a hand-off may come twice. */
  has(claim: ClaimedDelivery): boolean;
  /** Its slot is taken already; `until` is on the monotonic clock. */
  hold(claim: ClaimedDelivery, until: number): Delivery;
  /** Whether a request may begin: what comes of it can be recorded, or the lease can be extended in time. */
  isGood(delivery: Delivery): boolean;
  /** It was recorded, or is given back: its slot is free. */
  end(delivery: Delivery): void;
  close(): Promise<void>;
}

export interface LeasesOptions {
  readonly core: Core;
  readonly slots: Slots;
  readonly leaseMs: number;
  readonly everyMs: number;
  /** The version of a row of an endpoint, as an extension of its leases found it. */
  readonly onVersion: (endpoint: Pick<ClaimedDelivery, 'endpointId' | 'accountId'>, version: string) => void;
  /** Called each time that leases cannot be extended. */
  readonly onError: (error: unknown) => void;
}

const rowsPerStatement = 1_000;

/** A request may begin when so much of the lease is left. */
const leastPart = 1 / 20;

/** Extends the leases of this process together, when a third of their length is over. */
export function createLeases(options: LeasesOptions): Leases {
  const { core, slots, leaseMs, everyMs, onVersion, onError } = options;
  const held = new Map<string, Delivery>();

  const extend = async (deliveries: readonly Delivery[]): Promise<void> => {
    const from = performance.now();
    const claims = deliveries.map(({ claim }) => claim);
    const kept = await extendLeases(core, claims, leaseMs);
    for (const delivery of deliveries) {
      if (kept.has(delivery.claim.deliveryId)) delivery.leasedUntil = Math.max(delivery.leasedUntil, from + leaseMs);
      else delivery.isLost = true;
    }
    for (const [claim, version] of versionsOf(deliveries, kept)) onVersion(claim, version);
  };
  const extendAll = async (): Promise<void> => {
    const before = performance.now() + (2 / 3) * leaseMs;
    const deliveries = [...held.values()].filter(({ leasedUntil, isLost }) => !isLost && leasedUntil < before);
    for (let start = 0; start < deliveries.length; start += rowsPerStatement) {
      await extend(deliveries.slice(start, start + rowsPerStatement));
    }
  };
  const extensions = repeat(async () => {
    await extendAll().catch(onError);
    return everyMs;
  });

  return {
    has: ({ deliveryId, leaseToken }) => held.get(deliveryId)?.claim.leaseToken === leaseToken,
    hold: (claim, until) => {
      const delivery = { claim, leasedUntil: until, isLost: false };
      const before = held.get(claim.deliveryId);
      if (before !== undefined) before.isLost = true;
      held.set(claim.deliveryId, delivery);
      return delivery;
    },
    isGood: ({ isLost, leasedUntil }) => !isLost && leasedUntil - performance.now() > leastPart * leaseMs,
    end: (delivery) => {
      slots.give(delivery.claim.accountId, 1);
      if (held.get(delivery.claim.deliveryId) === delivery) held.delete(delivery.claim.deliveryId);
    },
    close: () => extensions.close(),
  };
}

/** One delivery of each endpoint, with the version of the endpoint's row. */
function versionsOf(deliveries: readonly Delivery[], kept: ReadonlyMap<string, string>) {
  const versions = new Map<string, readonly [ClaimedDelivery, string]>();
  for (const { claim } of deliveries) {
    const version = kept.get(claim.deliveryId);
    if (version !== undefined) versions.set(claim.endpointId, [claim, version]);
  }
  return versions.values();
}

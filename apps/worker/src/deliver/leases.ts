import { type ClaimedDelivery, type Core, extendLeases, repeat } from '@finhook/core';
import type { Slots } from './slots.ts';

/** A delivery that this worker has leased; it occupies a slot. */
export interface Delivery {
  claim: ClaimedDelivery;
  /** An estimate on the monotonic clock; the database's clock decides. */
  leasedUntil: number;
  /** True if the database no longer has the lease with this token. */
  isLost: boolean;
  /** True during its immediate retry. */
  isImmediateRetry?: boolean;
}

export interface Leases {
  /** True if the lease with this token is held; a hand-off may arrive twice. */
  has(claim: ClaimedDelivery): boolean;
  /** The caller has taken a slot; `until` is on the monotonic clock. */
  hold(claim: ClaimedDelivery, until: number): Delivery;
  /** True if enough of the lease is left to begin a request: it can be recorded or extended in time. */
  isGood(delivery: Delivery): boolean;
  /** Ends the extensions and frees the slot. */
  end(delivery: Delivery): void;
  close(): Promise<void>;
}

export interface LeasesOptions {
  readonly core: Core;
  readonly slots: Slots;
  readonly leaseMs: number;
  readonly everyMs: number;
  /** Called with the row version of the endpoint of each extended lease. */
  readonly onVersion: (endpoint: Pick<ClaimedDelivery, 'endpointId' | 'accountId'>, version: string) => void;
  readonly onError: (error: unknown) => void;
}

const rowsPerStatement = 1_000;

/** The share of a lease that must be left to begin a request. */
const minLeaseShare = 1 / 20;

/** Extends the leases of this process in batches, each when a third of it is over. */
export function createLeases(options: LeasesOptions): Leases {
  const { core, slots, leaseMs, everyMs, onVersion, onError } = options;
  const held = new Map<string, Delivery>();

  const extend = async (deliveries: readonly Delivery[]): Promise<void> => {
    const from = performance.now();
    const claims = deliveries.map(({ claim }) => claim);
    const kept = await extendLeases(core, claims, leaseMs);
    for (const delivery of deliveries) {
      const version = kept.get(delivery.claim.deliveryId);
      if (version === undefined) delivery.isLost = true;
      else {
        delivery.leasedUntil = Math.max(delivery.leasedUntil, from + leaseMs);
        onVersion(delivery.claim, version);
      }
    }
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
    isGood: ({ isLost, leasedUntil }) => !isLost && leasedUntil - performance.now() > minLeaseShare * leaseMs,
    end: (delivery) => {
      slots.release(delivery.claim.accountId, 1);
      if (held.get(delivery.claim.deliveryId) === delivery) held.delete(delivery.claim.deliveryId);
    },
    close: () => extensions.close(),
  };
}

import type { ClaimedDelivery, Target } from '@finhook/core';
import type { DeliveryTarget } from '@finhook/delivery';
import type { DeliveryStore } from '../delivery-store.ts';
import type { SignerCache } from '../signer-cache.ts';
import { addressOf } from './address-of.ts';

/** An endpoint that may be delivered to now. */
export interface LoadedEndpoint {
  readonly target: Target;
  readonly address: DeliveryTarget;
}

export interface LoadEndpointDeps {
  readonly store: Pick<DeliveryStore, 'loadTarget' | 'release'>;
  readonly signers: SignerCache;
}

/**
 * Loads an endpoint, if it may be delivered to, while claims of it are made. When it can't be loaded or something of it
 * can't be decrypted, they are given back: they would count as attempts and be held until their lease ends.
 */
export async function loadEndpoint(
  { store, signers }: LoadEndpointDeps,
  endpointId: string,
  claiming: Promise<readonly ClaimedDelivery[]>,
): Promise<LoadedEndpoint | undefined> {
  try {
    const target = await store.loadTarget(endpointId);
    return target && { target, address: addressOf(target, signers) };
  } catch (error) {
    await claiming.then((claims) => store.release(claims)).catch(() => undefined);
    throw error;
  }
}

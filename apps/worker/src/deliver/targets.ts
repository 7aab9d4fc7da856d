import { type Core, createMicroBatch, type EndpointRef, loadTargets, type Target } from '@finhook/core';
import { type DeliveryTarget, signersOf } from '@finhook/delivery';
import { createAsymmetricSigner, createSigner } from '@finhook/signing';

/** An enabled endpoint, as it was when its row had `version`. */
export interface LoadedTarget extends Target {
  /** The URL and the signers; the previous secret signs until its overlap ends. */
  readonly addressAt: (now: Date) => DeliveryTarget;
}

export interface Targets {
  /** Undefined for an endpoint that is paused, disabled or deleted. Throws if its secrets can't be decrypted. */
  load(endpoint: EndpointRef): Promise<LoadedTarget | undefined>;
}

export function createTargets(core: Core): Targets {
  const read = createMicroBatch({
    run: async (endpoints: readonly EndpointRef[]) => {
      const targets = new Map((await loadTargets(core, endpoints)).map((target) => [target.endpointId, target]));
      return endpoints.map(({ id }) => targets.get(id));
    },
    maxWeight: 500,
    inFlight: 1,
  });

  const toAddress = ({ url, headers, secret, previousSecret, privateKey }: Target): DeliveryTarget => ({
    url,
    ...signersOf({
      current: createSigner(secret()),
      previous: previousSecret && createSigner(previousSecret()),
      asymmetric: privateKey && createAsymmetricSigner(privateKey()),
    }),
    headers: headers?.(),
  });

  return {
    load: async (endpoint) => {
      const target = await read(endpoint);
      if (target === undefined) return undefined;
      const { previousSecret: _, ...after } = target;
      const until = target.previousSecretUntil;
      let address = toAddress(target);
      let overlaps = until !== undefined;
      const addressAt = (now: Date): DeliveryTarget => {
        if (overlaps && until !== undefined && until <= now) {
          overlaps = false;
          address = toAddress(after);
        }
        return address;
      };
      return { ...target, addressAt };
    },
  };
}

/** Maximum of requests in flight to one endpoint. */
export const maxRequests = 64;

export function requestLimit({ flow }: LoadedTarget): number {
  return flow?.ordered ? 1 : Math.min(maxRequests, flow?.maxConcurrency ?? maxRequests);
}

/** True if results for `a` apply to `b`: same URL, not re-enabled since. */
export function isSameReceiver(a: LoadedTarget, b: LoadedTarget): boolean {
  return a.url === b.url && a.resumedAt?.getTime() === b.resumedAt?.getTime();
}

import type { Target } from '@finhook/core';
import { type DeliveryTarget, signersOf } from '@finhook/delivery';
import { createAsymmetricSigner, createSigner } from '@finhook/signing';

/** An enabled endpoint, as it was when its row had `version`. */
export interface LoadedTarget extends Target {
  /** The URL and the signers; the previous secret signs until its overlap ends. */
  readonly addressAt: (now: Date) => DeliveryTarget;
}

/** Throws if its secrets can't be decrypted. */
export function withSigners(target: Target): LoadedTarget {
  const until = target.previousSecretUntil;
  const current = toAddress(target, undefined);
  const overlapping = target.previousSecret === undefined ? current : toAddress(target, target.previousSecret());
  return { ...target, addressAt: (now) => (until !== undefined && now < until ? overlapping : current) };
}

function toAddress({ url, headers, secret, privateKey }: Target, previous: string | undefined): DeliveryTarget {
  return {
    url,
    ...signersOf({
      current: createSigner(secret()),
      previous: previous && createSigner(previous),
      asymmetric: privateKey && createAsymmetricSigner(privateKey()),
    }),
    headers: headers?.(),
  };
}

/** Maximum of requests in flight to one endpoint. */
export const maxRequests = 64;

export function requestLimit({ flow }: LoadedTarget): number {
  return flow?.ordered ? 1 : Math.min(maxRequests, flow?.maxConcurrency ?? maxRequests);
}

/** A degraded endpoint fails or asked for fewer requests: its send window starts small. */
export function isDegraded({ consecutiveFailures, flow }: LoadedTarget): boolean {
  return consecutiveFailures > 0 || flow?.degraded === true;
}

/** True if results for `a` apply to `b`: same URL, not re-enabled since. */
export function isSameReceiver(a: LoadedTarget, b: LoadedTarget): boolean {
  return a.url === b.url && a.resumedAt?.getTime() === b.resumedAt?.getTime();
}

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
  const { url, headers, secret, previousSecret, previousSecretUntil: until, privateKey } = target;
  const common = { url, headers: headers?.() };
  const signers = {
    current: createSigner(secret()),
    asymmetric: privateKey === null ? undefined : createAsymmetricSigner(privateKey()),
  };
  const current = { ...common, ...signersOf({ ...signers, previous: undefined }) };
  if (until === null || previousSecret === null) return { ...target, addressAt: () => current };
  const overlapping = { ...common, ...signersOf({ ...signers, previous: createSigner(previousSecret()) }) };
  return { ...target, addressAt: (now) => (now < until ? overlapping : current) };
}

/** Maximum of requests in flight to one endpoint. */
export const maxRequests = 64;

export function requestLimit({ ordered, maxConcurrency }: LoadedTarget): number {
  return ordered ? 1 : Math.min(maxRequests, maxConcurrency ?? maxRequests);
}

/** A degraded endpoint fails or asked for fewer requests: its send window starts small. */
export function isDegraded({ consecutiveFailures, degraded }: LoadedTarget): boolean {
  return consecutiveFailures > 0 || degraded;
}

/** True if results for `a` apply to `b`: same URL, not re-enabled since. */
export function isSameReceiver(a: LoadedTarget, b: LoadedTarget): boolean {
  return a.url === b.url && a.resumedAt?.getTime() === b.resumedAt?.getTime();
}

import type { Target } from '@finhook/core';
import { type DeliveryTarget, signersOf } from '@finhook/delivery';
import type { SignerCache } from '../signer-cache.ts';

/** Where an endpoint's deliveries go and how they are signed. Throws when something stored cannot be decrypted. */
export function addressOf(target: Target, signers: SignerCache): DeliveryTarget {
  const { url, headers, secret, previousSecret, privateKey } = target;
  const keys = {
    current: signers.symmetric(secret),
    previous: previousSecret && signers.symmetric(previousSecret),
    asymmetric: privateKey && signers.asymmetric(privateKey),
  };
  return { url, ...signersOf(keys), headers: headers?.open() };
}

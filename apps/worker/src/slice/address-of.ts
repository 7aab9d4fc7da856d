import type { Target } from '@finhook/core';
import type { DeliveryTarget } from '@finhook/delivery';
import type { SignerCache } from '../signer-cache.ts';

/**
 * Where an endpoint's deliveries go and how they are signed (decisions D44): during a rotation the service's signature
 * stays with the old secret and `webhook-signature` lists both. Throws when something stored cannot be decrypted.
 */
export function addressOf(target: Target, signers: SignerCache): DeliveryTarget {
  const { url, headers, previousSecret, privateKey } = target;
  const current = signers.symmetric(target.secret);
  return {
    url,
    signer: previousSecret === undefined ? current : signers.symmetric(previousSecret),
    overlapSigners: [
      ...(previousSecret === undefined ? [] : [current]),
      ...(privateKey === undefined ? [] : [signers.asymmetric(privateKey)]),
    ],
    headers: headers?.(),
  };
}

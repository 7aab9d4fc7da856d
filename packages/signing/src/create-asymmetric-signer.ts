import { sign } from 'node:crypto';
import { assertWebhookId, assertWholeSeconds } from './assert-signable.ts';
import type { Signer } from './create-signer.ts';
import { parsePrivateKey } from './ed25519-key.ts';
import { standardContent } from './standard-content.ts';

/**
 * Reads a private key (`whsk_…`) once, to make `v1a,<base64>` entries of `webhook-signature` with it (Ed25519, Standard
 * Webhooks 1.0.0). Throws TypeError when the key is malformed, and as `createSigner` does while signing.
 */
export function createAsymmetricSigner(privateKey: string): Pick<Signer, 'standard'> {
  const key = parsePrivateKey(privateKey);
  if (key === undefined)
    throw new TypeError('signing key must be whsk_ and the base64 of an Ed25519 seed and its point');
  return {
    standard: (id, timestamp, body) => {
      assertWholeSeconds(timestamp);
      assertWebhookId(id);
      return `v1a,${sign(null, standardContent(id, timestamp, body), key).toString('base64')}`;
    },
  };
}

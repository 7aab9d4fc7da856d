import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { privateKeyPrefix, publicKeyPrefix } from './ed25519-key.ts';

/** An Ed25519 key pair in the text form of Standard Webhooks 1.0.0. */
export interface SigningKeyPair {
  /** `whsk_…`: signs; as secret as an endpoint's secret. */
  readonly privateKey: string;
  /** `whpk_…`: verifies; may be published. */
  readonly publicKey: string;
}

/** Makes a key pair for `v1a` signatures; `generate` is the source of keys. */
export function generateSigningKeyPair(
  generate: () => { privateKey: KeyObject } = () => generateKeyPairSync('ed25519'),
): SigningKeyPair {
  const { d = '', x = '' } = generate().privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    privateKey: `${privateKeyPrefix}${Buffer.concat([seed, point]).toString('base64')}`,
    publicKey: `${publicKeyPrefix}${point.toString('base64')}`,
  };
}

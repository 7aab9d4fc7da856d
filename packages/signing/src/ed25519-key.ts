import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { decodeBase64 } from './decode-base64.ts';

export const publicKeyPrefix = 'whpk_';
export const privateKeyPrefix = 'whsk_';

const keyBytes = 32;

/** Reads `whpk_<base64 of 32 bytes>` (Standard Webhooks 1.0.0) strictly; undefined for everything else. */
export function parsePublicKey(text: string): KeyObject | undefined {
  if (typeof text !== 'string' || !text.startsWith(publicKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(publicKeyPrefix.length));
  if (bytes?.length !== keyBytes) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** Reads `whsk_<base64 of 64 bytes>`, the seed and then the public key that belongs to it; undefined for all else. */
export function parsePrivateKey(text: string): KeyObject | undefined {
  if (typeof text !== 'string' || !text.startsWith(privateKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(privateKeyPrefix.length));
  if (bytes?.length !== 2 * keyBytes) return undefined;
  const [seed, point] = [bytes.subarray(0, keyBytes), bytes.subarray(keyBytes)];
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: point.toString('base64url') };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  // OpenSSL derives the public half anew and takes no notice of one that belongs to another key.
  return createPublicKey(key).export({ format: 'jwk' }).x === jwk.x ? key : undefined;
}

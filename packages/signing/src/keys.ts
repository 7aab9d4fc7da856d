import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { decodeBase64, decodeSecret } from './key-text.ts';

/** The two HMAC keys of one endpoint secret. */
interface WebhookKeys {
  /** For `x-service-signature`: the UTF-8 bytes of the whole secret, prefix included. */
  readonly service: KeyObject;
  /** For `webhook-signature` (Standard Webhooks): the bytes that the part after `whsec_` encodes. */
  readonly standard: KeyObject;
}

/** Undefined unless it is `whsec_<base64 of 24 to 64 bytes>`. */
export function parseWebhookSecret(secret: string): WebhookKeys | undefined {
  const bytes = decodeSecret(secret);
  if (bytes === undefined) return undefined;
  // Importing a buffer for every HMAC takes five times as long as the hashing.
  return { service: createSecretKey(secret, 'utf8'), standard: createSecretKey(bytes) };
}

const publicKeyPrefix = 'whpk_';
const privateKeyPrefix = 'whsk_';

const keyBytes = 32;

/** Reads `whsk_<base64 of 64 bytes>`, the seed and its public key; undefined for anything else. */
export function parsePrivateKey(text: string): KeyObject | undefined {
  if (typeof text !== 'string' || !text.startsWith(privateKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(privateKeyPrefix.length));
  if (bytes?.length !== 2 * keyBytes) return undefined;
  const encode = (part: Uint8Array): string => Buffer.from(part).toString('base64url');
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: encode(bytes.subarray(0, keyBytes)),
    x: encode(bytes.subarray(keyBytes)),
  };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  // OpenSSL ignores a public key that doesn't match the seed.
  return createPublicKey(key).export({ format: 'jwk' }).x === jwk.x ? key : undefined;
}

const secretBytes = 32;

/**
 * `whsec_` and base64 of 32 random bytes (Standard Webhooks asks for 24 to 64). @throws RangeError for another number
 */
export function generateWebhookSecret(random: (size: number) => Uint8Array = randomBytes): string {
  const bytes = random(secretBytes);
  if (bytes.length !== secretBytes) throw new RangeError(`expected ${secretBytes} random bytes, got ${bytes.length}`);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** An Ed25519 key pair in the text form of Standard Webhooks 1.0.0. */
interface SigningKeyPair {
  /** `whsk_…`: signs; secret. */
  readonly privateKey: string;
  /** `whpk_…`: verifies; public. */
  readonly publicKey: string;
}

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

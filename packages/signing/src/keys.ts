import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The two HMAC keys of one endpoint secret. */
interface WebhookKeys {
  /** For `x-service-signature`: the UTF-8 bytes of the whole secret, prefix included. */
  readonly service: KeyObject;
  /** For `webhook-signature` (Standard Webhooks): the bytes that the part after `whsec_` encodes. */
  readonly standard: KeyObject;
}

const prefix = 'whsec_';

/** Reads `whsec_<base64 of 24 to 64 bytes>` strictly; undefined for everything else. */
export function parseWebhookSecret(secret: string): WebhookKeys | undefined {
  // Callers in JavaScript pass undefined when their configuration is missing.
  if (typeof secret !== 'string' || !secret.startsWith(prefix)) return undefined;
  const bytes = decodeBase64(secret.slice(prefix.length));
  if (bytes === undefined || bytes.length < 24 || bytes.length > 64) return undefined;
  // Key objects, because Node imports a buffer for every HMAC, which takes five times as long as the hashing.
  return { service: createSecretKey(secret, 'utf8'), standard: createSecretKey(bytes) };
}

/** Undefined without a key or if any is malformed, so that a broken configuration shows at once. */
export function parseWebhookSecrets(secrets: readonly string[]): readonly WebhookKeys[] | undefined {
  const keys = secrets.map(parseWebhookSecret).filter((parsed) => parsed !== undefined);
  return keys.length > 0 && keys.length === secrets.length ? keys : undefined;
}

const publicKeyPrefix = 'whpk_';
const privateKeyPrefix = 'whsk_';

const keyBytes = 32;

/** Reads `whpk_<base64 of 32 bytes>` (Standard Webhooks 1.0.0) strictly; undefined for anything else. */
export function parsePublicKey(text: string): KeyObject | undefined {
  if (typeof text !== 'string' || !text.startsWith(publicKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(publicKeyPrefix.length));
  if (bytes?.length !== keyBytes) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** Reads `whsk_<base64 of 64 bytes>`, the seed and its public key; undefined for anything else. */
export function parsePrivateKey(text: string): KeyObject | undefined {
  if (typeof text !== 'string' || !text.startsWith(privateKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(privateKeyPrefix.length));
  if (bytes?.length !== 2 * keyBytes) return undefined;
  const [seed, point] = [bytes.subarray(0, keyBytes), bytes.subarray(keyBytes)];
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: point.toString('base64url') };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  // OpenSSL derives the public key from the seed and ignores a given one that does not match.
  return createPublicKey(key).export({ format: 'jwk' }).x === jwk.x ? key : undefined;
}

export interface VerificationKeys {
  /** For `v1`: shared secrets. */
  readonly shared: readonly KeyObject[];
  /** For `v1a`: Ed25519 public keys. */
  readonly public: readonly KeyObject[];
}

/** Reads secrets (`whsec_…`) and public keys (`whpk_…`). Undefined without one or if any is malformed. */
export function parseVerificationKeys(texts: readonly string[]): VerificationKeys | undefined {
  const shared = texts.map(parseWebhookSecret).filter((keys) => keys !== undefined);
  const publicKeys = texts.map(parsePublicKey).filter((key) => key !== undefined);
  const found = shared.length + publicKeys.length;
  if (found === 0 || found !== texts.length) return undefined;
  return { shared: shared.map(({ standard }) => standard), public: publicKeys };
}

const secretBytes = 32;

/**
 * Makes the secret of one endpoint: `whsec_` and the standard base64 of 32 random bytes (Standard Webhooks asks for
 * 24 to 64). Throws RangeError when the source of randomness gives another number of bytes.
 */
export function generateWebhookSecret(random: (size: number) => Uint8Array = randomBytes): string {
  const bytes = random(secretBytes);
  if (bytes.length !== secretBytes) throw new RangeError(`expected ${secretBytes} random bytes, got ${bytes.length}`);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** An Ed25519 key pair in the text form of Standard Webhooks 1.0.0. */
export interface SigningKeyPair {
  /** `whsk_…`: signs; as secret as an endpoint's secret. */
  readonly privateKey: string;
  /** `whpk_…`: verifies; may be published. */
  readonly publicKey: string;
}

/** For `v1a` signatures. */
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

/** Decodes standard base64 with padding; undefined for anything but the canonical encoding (RFC 4648). */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid characters; encoding again shows whether it did.
  return bytes.toString('base64') === text ? bytes : undefined;
}

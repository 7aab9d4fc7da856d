import { createHmac, type Hmac, type KeyObject, sign } from 'node:crypto';
import { webhookIdPattern } from './key-text.ts';
import { parsePrivateKey, parseWebhookSecret } from './keys.ts';

/** Signs deliveries for one secret. Timestamps are unix seconds of the attempt; bodies are the exact bytes sent. */
export interface Signer {
  /** Value of `x-service-signature`: `t=<unix seconds>,v1=<64 lowercase hex digits>`. */
  readonly service: (timestamp: number, body: Uint8Array) => string;
  /** One entry of `webhook-signature` (Standard Webhooks): `v1,<base64>`. Entries are joined with a space. */
  readonly standard: (id: string, timestamp: number, body: Uint8Array) => string;
}

/**
 * Reads a secret once, to sign many bodies with it. Throws TypeError when the secret is malformed (the message does
 * not carry it); the signer throws RangeError for a timestamp that is not whole seconds and an id with a full stop.
 */
export function createSigner(secret: string): Signer {
  const keys = parseWebhookSecret(secret);
  if (keys === undefined) throw new TypeError('webhook secret must be whsec_ and the base64 of 24 to 64 bytes');
  return {
    service: (timestamp, body) => {
      assertWholeSeconds(timestamp);
      return `t=${timestamp},v1=${serviceHmac(keys.service, timestamp, body).digest('hex')}`;
    },
    standard: (id, timestamp, body) => {
      assertWholeSeconds(timestamp);
      assertWebhookId(id);
      return `v1,${standardHmac(keys.standard, id, timestamp, body).digest('base64')}`;
    },
  };
}

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

/** HMAC-SHA256 over `<t>.<body>`, the bytes that `x-service-signature` covers. The body is not copied. */
function serviceHmac(key: KeyObject, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body);
}

/** HMAC-SHA256 over `<id>.<t>.<body>`, the bytes that Standard Webhooks 1.0.0 signs. The body is not copied. */
function standardHmac(key: KeyObject, id: string, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
}

/** `<id>.<t>.<body>`, the bytes that Standard Webhooks 1.0.0 signs, in one buffer: Ed25519 is not incremental. */
function standardContent(id: string, timestamp: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

/** Throws RangeError unless it is whole unix seconds. 1e11 and above (the year 5138) are milliseconds by mistake. */
function assertWholeSeconds(timestamp: number): void {
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp >= 1e11) {
    throw new RangeError(`timestamp must be whole unix seconds, got ${timestamp}`);
  }
}

/** Throws RangeError for an id that makes the signed content ambiguous. */
function assertWebhookId(id: string): void {
  if (!webhookIdPattern.test(id)) throw new RangeError('webhook id must be printable ASCII without a full stop');
}

import { createHmac, type Hmac, type KeyObject, sign } from 'node:crypto';
import { webhookIdPattern } from './key-text.ts';
import { parsePrivateKey, parseWebhookSecret } from './keys.ts';

/** Timestamps are unix seconds of the attempt; bodies are the exact bytes sent. */
export interface Signer {
  /** Value of `x-service-signature`: `t=<unix seconds>,v1=<64 lowercase hex digits>`. */
  readonly service: (timestamp: number, body: Uint8Array) => string;
  /** One entry of `webhook-signature` (Standard Webhooks): `v1,<base64>`. Entries are joined with a space. */
  readonly standard: (id: string, timestamp: number, body: Uint8Array) => string;
}

/**
 * Parses the secret once. @throws TypeError, without the secret, if malformed; the signer throws RangeError for a
 * timestamp that isn't whole seconds and for an id with a full stop
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
 * Makes `v1a,<base64>` entries of `webhook-signature` (Ed25519, Standard Webhooks 1.0.0). Throws like `createSigner`.
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

/** HMAC-SHA256 over `<t>.<body>`. The body is not copied. */
function serviceHmac(key: KeyObject, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body);
}

/** HMAC-SHA256 over `<id>.<t>.<body>` (Standard Webhooks 1.0.0). The body is not copied. */
function standardHmac(key: KeyObject, id: string, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
}

/** `<id>.<t>.<body>` in one buffer: Ed25519 is not incremental. */
function standardContent(id: string, timestamp: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

/** 1e11 and above (the year 5138) are milliseconds by mistake. @throws RangeError */
function assertWholeSeconds(timestamp: number): void {
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp >= 1e11) {
    throw new RangeError(`timestamp must be whole unix seconds, got ${timestamp}`);
  }
}

/** @throws RangeError for an id that makes the signed content ambiguous */
function assertWebhookId(id: string): void {
  if (!webhookIdPattern.test(id)) throw new RangeError('webhook id must be printable ASCII without a full stop');
}

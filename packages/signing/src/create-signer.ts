import { assertWebhookId, assertWholeSeconds } from './assert-signable.ts';
import { parseWebhookSecret } from './parse-webhook-secret.ts';
import { serviceHmac } from './service-hmac.ts';
import { standardHmac } from './standard-hmac.ts';

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

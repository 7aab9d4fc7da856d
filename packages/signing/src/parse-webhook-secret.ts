import { createSecretKey, type KeyObject } from 'node:crypto';
import { decodeBase64 } from './decode-base64.ts';

/** The two HMAC keys that one endpoint secret stands for. */
export interface WebhookKeys {
  /** For `x-service-signature`: the UTF-8 bytes of the whole secret, prefix included. */
  readonly service: KeyObject;
  /** For `webhook-signature` (Standard Webhooks): the bytes that the part after `whsec_` encodes. */
  readonly standard: KeyObject;
}

const prefix = 'whsec_';

/** Reads `whsec_<base64 of 24 to 64 bytes>` strictly; undefined for everything else. */
export function parseWebhookSecret(secret: string): WebhookKeys | undefined {
  // A caller without types passes undefined when its configuration is missing.
  if (typeof secret !== 'string' || !secret.startsWith(prefix)) return undefined;
  const bytes = decodeBase64(secret.slice(prefix.length));
  if (bytes === undefined || bytes.length < 24 || bytes.length > 64) return undefined;
  // Key objects, not buffers: Node imports a buffer anew for every HMAC, which costs five times the hashing.
  return { service: createSecretKey(secret, 'utf8'), standard: createSecretKey(bytes) };
}

/** Reads all secrets, or undefined when there is none or any is malformed: a broken configuration must show at once. */
export function parseWebhookSecrets(secrets: readonly string[]): readonly WebhookKeys[] | undefined {
  const keys = secrets.map(parseWebhookSecret).filter((parsed) => parsed !== undefined);
  return keys.length > 0 && keys.length === secrets.length ? keys : undefined;
}

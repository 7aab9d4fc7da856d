import { readSignedJson } from './read-signed-json.ts';
import type { WebhookInput } from './webhook-input.ts';
import { type RefusedWebhook, refuseWebhook } from './webhook-refusal.ts';

/** A genuine delivery. `id` is the event's id, the same on every attempt: drop what was seen before. */
export interface VerifiedWebhook {
  readonly ok: true;
  readonly id: string;
  /** When this attempt was signed, in unix seconds. */
  readonly timestamp: number;
}

/**
 * Verifies one delivery by `x-service-signature`, or by `webhook-signature` (Standard Webhooks 1.0.0) where the first
 * is absent or made with another secret. The id is read from the signed body: `x-service-signature` doesn't cover the
 * `webhook-id` header. Throws RangeError only when `now` or `toleranceSeconds` is not a usable number.
 */
export function verifyWebhook(input: WebhookInput): VerifiedWebhook | RefusedWebhook {
  const signed = readSignedJson(input);
  if (!signed.ok) return signed;
  const id = readId(signed.json);
  return id === undefined ? refuseWebhook('malformed_event') : { ok: true, id, timestamp: signed.timestamp };
}

function readId(json: unknown): string | undefined {
  const isRecord = typeof json === 'object' && json !== null && Object.hasOwn(json, 'id');
  return isRecord && 'id' in json && typeof json.id === 'string' ? json.id : undefined;
}

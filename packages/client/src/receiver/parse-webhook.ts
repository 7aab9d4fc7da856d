import { eventEnvelope, isAnyEventType, type WebhookEvent } from '@finhook/contracts';
import { type RejectedWebhook, readSignedJson, rejectWebhook, type WebhookInput } from './verify-webhook.ts';

/** An event whose type this version of the client does not know yet; its `data` has no promised shape. */
export interface UnknownWebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly account_id: string;
  readonly company_id?: string | undefined;
  readonly data: unknown;
}

/** Any event that can arrive: those that this version knows, and newer ones. */
export type ReceivedEvent = WebhookEvent | UnknownWebhookEvent;

/**
 * True for an event of the catalogue or of its additions; after it, a switch over `event.type` tells the type of
 * `event.data`. The data is not checked again: it is signed by the service, whose released schemas only grow.
 */
export function isKnownEvent(event: ReceivedEvent): event is WebhookEvent {
  return isAnyEventType(event.type);
}

/** A genuine event. `event.id` is the same on every attempt: drop what was seen before. */
export interface ParsedWebhook {
  readonly ok: true;
  readonly event: ReceivedEvent;
}

/**
 * Verifies one delivery as `verifyWebhook` does, then reads the event in its body. A type that this version does not
 * know is no refusal: ask `isKnownEvent`. Throws RangeError only when `now` or `toleranceSeconds` is not usable.
 */
export function parseWebhook(input: WebhookInput): ParsedWebhook | RejectedWebhook {
  const signed = readSignedJson(input);
  if (!signed.ok) return signed;
  const envelope = eventEnvelope.safeParse(signed.json);
  return envelope.success ? { ok: true, event: envelope.data } : rejectWebhook('malformed_event');
}

import { eventEnvelope } from '@finhook/contracts';
import { readSignedJson } from './read-signed-json.ts';
import type { ReceivedEvent } from './received-event.ts';
import type { WebhookInput } from './webhook-input.ts';
import { type RefusedWebhook, refuseWebhook } from './webhook-refusal.ts';

/** A genuine event. `event.id` is the same on every attempt: drop what was seen before. */
export interface ParsedWebhook {
  readonly ok: true;
  readonly event: ReceivedEvent;
}

/**
 * Verifies one delivery as `verifyWebhook` does, then reads the event in its body. A type that this version does not
 * know is no refusal: ask `isKnownEvent`. Throws RangeError only when `now` or `toleranceSeconds` is not usable.
 */
export function parseWebhook(input: WebhookInput): ParsedWebhook | RefusedWebhook {
  const signed = readSignedJson(input);
  if (!signed.ok) return signed;
  const envelope = eventEnvelope.safeParse(signed.json);
  return envelope.success ? { ok: true, event: envelope.data } : refuseWebhook('malformed_event');
}

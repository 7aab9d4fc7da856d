import { type ThinWebhookEvent, type WebhookEvent, webhookEventTypes } from '../contracts.ts';
import { type RejectedWebhook, readSignedJson, rejectWebhook, type WebhookInput } from './verify-webhook.ts';

/** An event of a type that this version of the client does not know. */
export interface UnknownWebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly account_id: string;
  readonly company_id?: string | undefined;
  readonly data: unknown;
}

export type ReceivedEvent = WebhookEvent | UnknownWebhookEvent;

/**
 * True for an event type that this version knows; a switch over `event.type` then narrows `event.data`. The data is not
 * validated: the service signed it, and its released schemas only grow.
 */
export function isKnownEvent(event: ReceivedEvent): event is WebhookEvent {
  return webhookEventTypes.some((type) => type === event.type);
}

/** The same for endpoints with `payload: thin`. Both forms have the same envelope: call the one of your endpoint. */
export function isKnownThinEvent(event: ReceivedEvent): event is ThinWebhookEvent {
  return isKnownEvent(event);
}

/** A genuine event. `event.id` is the same on every attempt: use it to drop duplicates. */
export interface ParsedWebhook {
  readonly ok: true;
  readonly event: ReceivedEvent;
}

/**
 * Verifies a delivery as `verifyWebhook` does, then parses its event. It does not reject unknown event types: check
 * `isKnownEvent`. Rejects with RangeError if `now` or `toleranceSeconds` is not a usable number.
 */
export async function parseWebhook(input: WebhookInput): Promise<ParsedWebhook | RejectedWebhook> {
  const signed = await readSignedJson(input);
  if (!signed.ok) return signed;
  return isEvent(signed.json) ? { ok: true, event: signed.json } : rejectWebhook('malformed_event');
}

function isEvent(json: unknown): json is UnknownWebhookEvent {
  if (!isRecord(json)) return false;
  const { company_id } = json;
  const hasTexts = ['id', 'type', 'created_at', 'account_id'].every((name) => typeof json[name] === 'string');
  return hasTexts && (company_id === undefined || typeof company_id === 'string') && isRecord(json['data']);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

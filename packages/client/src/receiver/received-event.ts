import { isAnyEventType, type WebhookEvent } from '@finhook/contracts';

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

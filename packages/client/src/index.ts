/**
 * @finhook/client: what users install. Owns the typed client (`createClient`) and the receiver's side of a webhook
 * (`verifyWebhook`, `parseWebhook`). Must not import anything that runs on the server but the router's type.
 */
export { type ClientOptions, createClient, type FinhookClient } from './create-client.ts';
export { type ParsedWebhook, parseWebhook } from './receiver/parse-webhook.ts';
export { isKnownEvent, type ReceivedEvent, type UnknownWebhookEvent } from './receiver/received-event.ts';
export { type VerifiedWebhook, verifyWebhook } from './receiver/verify-webhook.ts';
export type { WebhookHeaders, WebhookInput } from './receiver/webhook-input.ts';
export { type RefusedWebhook, type WebhookRefusal, webhookRefusalHints } from './receiver/webhook-refusal.ts';

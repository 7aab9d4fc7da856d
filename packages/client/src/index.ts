export { type ParsedWebhook, parseWebhook } from './receiver/parse-webhook.ts';
export { isKnownEvent, type ReceivedEvent, type UnknownWebhookEvent } from './receiver/received-event.ts';
export { type VerifiedWebhook, verifyWebhook } from './receiver/verify-webhook.ts';
export type { WebhookHeaders, WebhookInput } from './receiver/webhook-input.ts';
export { type RefusedWebhook, type WebhookRefusal, webhookRefusalHints } from './receiver/webhook-refusal.ts';

/**
 * @finhook/client: the package that users install. Owns the typed client (`createClient`) and the receiver's side of
 * webhooks (`verifyWebhook`, `parseWebhook`). Must not import code of the server, only the router's type.
 */
export { type ClientOptions, createClient, type FinhookClient } from './create-client.ts';
export {
  isKnownEvent,
  type ParsedWebhook,
  parseWebhook,
  type ReceivedEvent,
  type UnknownWebhookEvent,
} from './receiver/parse-webhook.ts';
export {
  type RejectedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookInput,
  type WebhookRejection,
  webhookRejectionHints,
} from './receiver/verify-webhook.ts';

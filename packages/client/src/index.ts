/**
 * @finhook/client: the package that users install, with the typed client (`createClient`) and the receiver
 * (`verifyWebhook`, `parseWebhook`). Must not import code of the server, only the router's type, and nothing of Node: it
 * also runs in Deno, Bun and Cloudflare Workers.
 */
export type { Retry } from './call.ts';
export type * from './contracts.ts';
export { webhookEventTypes } from './contracts.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export { FinhookError, isProblem, type ProblemError } from './finhook-error.ts';
export type { CallOptions, PagePromise } from './method.ts';
export {
  isKnownEvent,
  isKnownThinEvent,
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
export type { Hooks, ReceivedResponse, SentRequest } from './transport.ts';

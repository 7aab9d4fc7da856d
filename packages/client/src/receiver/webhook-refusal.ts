import { signatureRefusalHints } from '@finhook/signing';

/** Why a delivery was refused, and one plain sentence for the person who has to mend it. */
export const webhookRefusalHints = {
  ...signatureRefusalHints,
  missing_body: 'There is no body: pass the raw body of the request, read before anything else consumes it.',
  body_not_read:
    'The body is a promise, a stream or a whole request: await its raw bytes first, for example await request.text().',
  body_already_parsed:
    "The body was parsed before it was verified: pass the raw bytes, for example from express.raw({ type: '*/*' }), " +
    'await request.text(), or a Fastify content type parser with parseAs: buffer.',
  malformed_json: 'The signature is right, but the body is not JSON in UTF-8.',
  malformed_event: 'The signature is right, but the body is not an event of this service.',
} as const satisfies Record<string, string>;

/** The closed list of reasons for which a delivery is refused. */
export type WebhookRefusal = keyof typeof webhookRefusalHints;

/** A refused delivery: answer it with 400 and log the hint; it carries no secret and nothing of the body. */
export interface RefusedWebhook {
  readonly ok: false;
  readonly reason: WebhookRefusal;
  readonly hint: string;
}

/** The refusal for one reason, with its hint. */
export function refuseWebhook(reason: WebhookRefusal): RefusedWebhook {
  return { ok: false, reason, hint: webhookRefusalHints[reason] };
}

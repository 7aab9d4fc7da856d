import { createSigner } from './create-signer.ts';

/** What one Standard Webhooks signature covers. `timestamp` is in unix seconds, `body` the exact bytes sent. */
interface StandardWebhookInput {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/**
 * Makes one entry of the `webhook-signature` header: `v1,<base64>` (Standard Webhooks 1.0.0). Throws as `createSigner`
 * does; use that to sign more than once with a secret.
 */
export function signStandardWebhook({ secret, id, timestamp, body }: StandardWebhookInput): string {
  return createSigner(secret).standard(id, timestamp, body);
}

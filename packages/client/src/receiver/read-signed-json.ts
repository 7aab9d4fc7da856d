import { parsePublicKey, verifyServiceSignature, verifyStandardWebhook } from '@finhook/signing';
import { readHeader } from './read-header.ts';
import { readRawBody } from './read-raw-body.ts';
import type { WebhookInput } from './webhook-input.ts';
import { type RefusedWebhook, refuseWebhook } from './webhook-refusal.ts';

/** A verified body, and when its attempt was signed in unix seconds. */
interface SignedJson {
  readonly ok: true;
  readonly timestamp: number;
  readonly json: unknown;
}

/** Verifies a delivery, and only then parses its body. */
export function readSignedJson(input: WebhookInput): SignedJson | RefusedWebhook {
  const body = readRawBody(input.body);
  if (typeof body === 'string') return refuseWebhook(body);
  const signed = verify(input, body);
  if (!signed.ok) return refuseWebhook(signed.reason);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { ok: true, timestamp: signed.timestamp, json: JSON.parse(text) };
  } catch {
    return refuseWebhook('malformed_json');
  }
}

function verify(input: WebhookInput, body: Uint8Array) {
  const { headers, now = Date.now, toleranceSeconds } = input;
  const secrets = [input.secret].flat();
  const rest = { body, now: now() / 1000, toleranceSeconds };
  const verifyStandard = () =>
    verifyStandardWebhook({
      headers: {
        id: readHeader(headers, 'webhook-id'),
        timestamp: readHeader(headers, 'webhook-timestamp'),
        signature: readHeader(headers, 'webhook-signature'),
      },
      secrets,
      ...rest,
    });
  // The service's own header knows shared secrets only.
  const shared = secrets.filter((secret) => parsePublicKey(secret) === undefined);
  if (shared.length === 0 && secrets.length > 0) return verifyStandard();
  const header = readHeader(headers, 'x-service-signature');
  const service = verifyServiceSignature({ header, secrets: shared, ...rest });
  // While a secret is rotated this header is still signed with the old one; the standard header carries both.
  const fallsBack = !service.ok && ['missing_header', 'no_matching_signature'].includes(service.reason);
  if (!fallsBack) return service;
  const standard = verifyStandard();
  return standard.ok || service.reason === 'missing_header' ? standard : service;
}

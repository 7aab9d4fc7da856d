import { checkTimestamp, type TimestampWindow } from './check-timestamp.ts';
import { decodeBase64 } from './decode-base64.ts';
import { matchesAny } from './matches-any.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { parseWebhookSecrets } from './parse-webhook-secret.ts';
import type { SignatureCheck } from './signature-check.ts';
import type { SignatureRefusal } from './signature-refusal-hints.ts';
import { standardHmac } from './standard-hmac.ts';
import { webhookIdPattern } from './webhook-id-pattern.ts';

/** Values of `webhook-id`, `webhook-timestamp` and `webhook-signature`, as received. */
export interface StandardWebhookHeaders {
  readonly id: string | null | undefined;
  readonly timestamp: string | null | undefined;
  readonly signature: string | null | undefined;
}

interface StandardWebhookInput extends TimestampWindow {
  readonly headers: StandardWebhookHeaders;
  /** The raw body, before any parsing. */
  readonly body: Uint8Array;
  /** The endpoint's secrets; more than one during a rotation. All must be well-formed. */
  readonly secrets: readonly string[];
}

/**
 * Verifies a delivery as Standard Webhooks 1.0.0 says: HMAC-SHA256 over `<id>.<t>.<body>`, keyed by the decoded secret.
 * Any secret may match any `v1` entry; entries of other versions are passed over. Throws RangeError only when `now` or
 * `toleranceSeconds` is not a usable number.
 */
export function verifyStandardWebhook(input: StandardWebhookInput): SignatureCheck {
  const keys = parseWebhookSecrets(input.secrets);
  if (keys === undefined) return { ok: false, reason: 'invalid_secret' };
  const parsed = parseHeaders(input.headers);
  if (typeof parsed === 'string') return { ok: false, reason: parsed };
  const { id, timestamp, signatures } = parsed;
  const outside = checkTimestamp(timestamp, input);
  if (outside !== undefined) return { ok: false, reason: outside };
  const expected = keys.map(({ standard }) => standardHmac(standard, id, timestamp, input.body).digest());
  if (!matchesAny(signatures, expected)) return { ok: false, reason: 'no_matching_signature' };
  return { ok: true, timestamp };
}

interface ParsedHeaders {
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: readonly Uint8Array[];
}

function parseHeaders(headers: StandardWebhookHeaders): ParsedHeaders | SignatureRefusal {
  if (!headers.id || !headers.timestamp || !headers.signature) return 'missing_header';
  if (!webhookIdPattern.test(headers.id)) return 'malformed_id';
  const timestamp = parseTimestamp(headers.timestamp);
  if (timestamp === undefined) return 'malformed_timestamp';
  const signatures = parseSignatures(headers.signature);
  return typeof signatures === 'string' ? signatures : { id: headers.id, timestamp, signatures };
}

function parseSignatures(header: string): readonly Uint8Array[] | SignatureRefusal {
  const signatures: Uint8Array[] = [];
  let knownVersion = false;
  for (const entry of header.split(' ')) {
    const [, version, base64] = /^([a-z0-9]+),([^,]*)$/.exec(entry) ?? [];
    if (version === undefined || base64 === undefined) return 'malformed_header';
    if (version !== 'v1') continue;
    knownVersion = true;
    const bytes = decodeBase64(base64);
    // One cut entry beside a whole one must not stop a rotation.
    if (bytes?.length === 32) signatures.push(bytes);
  }
  if (signatures.length > 0) return signatures;
  return knownVersion ? 'malformed_signature' : 'unsupported_version';
}

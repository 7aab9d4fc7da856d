import { checkTimestamp, type TimestampWindow } from './check-timestamp.ts';
import { matchesAny } from './matches-any.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { parseWebhookSecrets } from './parse-webhook-secret.ts';
import { serviceHmac } from './service-hmac.ts';
import type { SignatureCheck } from './signature-check.ts';
import type { SignatureRefusal } from './signature-refusal-hints.ts';

interface ServiceSignatureInput extends TimestampWindow {
  /** Value of `x-service-signature`, as received. */
  readonly header: string | null | undefined;
  /** The raw body, before any parsing. */
  readonly body: Uint8Array;
  /** The endpoint's secrets; more than one during a rotation. All must be well-formed. */
  readonly secrets: readonly string[];
}

/**
 * Verifies `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, keyed by the UTF-8 bytes of the whole secret.
 * Any of the secrets may match. Throws RangeError only when `now` or `toleranceSeconds` is not a usable number.
 */
export function verifyServiceSignature(input: ServiceSignatureInput): SignatureCheck {
  const keys = parseWebhookSecrets(input.secrets);
  if (keys === undefined) return { ok: false, reason: 'invalid_secret' };
  const parsed = parseHeader(input.header);
  if (typeof parsed === 'string') return { ok: false, reason: parsed };
  const outside = checkTimestamp(parsed.timestamp, input);
  if (outside !== undefined) return { ok: false, reason: outside };
  const expected = keys.map(({ service }) => serviceHmac(service, parsed.timestamp, input.body).digest());
  if (!matchesAny([parsed.signature], expected)) return { ok: false, reason: 'no_matching_signature' };
  return { ok: true, timestamp: parsed.timestamp };
}

interface ServiceHeader {
  readonly timestamp: number;
  readonly signature: Uint8Array;
}

function parseHeader(header: string | null | undefined): ServiceHeader | SignatureRefusal {
  if (header === null || header === undefined || header === '') return 'missing_header';
  const [, seconds, version, hex] = /^t=([^,=]*),([a-z0-9]+)=([^,=]*)$/.exec(header) ?? [];
  if (seconds === undefined || hex === undefined) return 'malformed_header';
  const timestamp = parseTimestamp(seconds);
  if (timestamp === undefined) return 'malformed_timestamp';
  if (version !== 'v1') return 'unsupported_version';
  if (!/^[0-9a-f]{64}$/.test(hex)) return 'malformed_signature';
  return { timestamp, signature: Buffer.from(hex, 'hex') };
}

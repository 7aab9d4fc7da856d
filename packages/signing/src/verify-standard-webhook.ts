import { verify } from 'node:crypto';
import { checkTimestamp, type TimestampWindow } from './check-timestamp.ts';
import { decodeBase64 } from './decode-base64.ts';
import { matchesAny } from './matches-any.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { parseVerificationKeys, type VerificationKeys } from './parse-verification-keys.ts';
import type { SignatureCheck } from './signature-check.ts';
import type { SignatureRefusal } from './signature-refusal-hints.ts';
import { standardContent } from './standard-content.ts';
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
  /** The endpoint's secrets (`whsec_…`) and public keys (`whpk_…`); several during a rotation, all well-formed. */
  readonly secrets: readonly string[];
}

/**
 * Verifies a delivery as Standard Webhooks 1.0.0 says, over `<id>.<t>.<body>`: `v1` is HMAC-SHA256 keyed by a decoded
 * secret, `v1a` Ed25519 by a public key. Any key may match any entry of its version; other versions are passed over.
 * Throws RangeError only when `now` or `toleranceSeconds` is not a usable number.
 */
export function verifyStandardWebhook(input: StandardWebhookInput): SignatureCheck {
  const keys = parseVerificationKeys(input.secrets);
  if (keys === undefined) return { ok: false, reason: 'invalid_secret' };
  const parsed = parseHeaders(input.headers, keys);
  if (typeof parsed === 'string') return { ok: false, reason: parsed };
  const outside = checkTimestamp(parsed.timestamp, input);
  if (outside !== undefined) return { ok: false, reason: outside };
  if (!matches(parsed, keys, input.body)) return { ok: false, reason: 'no_matching_signature' };
  return { ok: true, timestamp: parsed.timestamp };
}

type Version = 'v1' | 'v1a';
/** Bytes of a signature of each version. */
const signatureLength: Readonly<Record<Version, number>> = { v1: 32, v1a: 64 };

interface ParsedHeaders {
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: Readonly<Record<Version, readonly Uint8Array[]>>;
}

function matches({ id, timestamp, signatures }: ParsedHeaders, keys: VerificationKeys, body: Uint8Array): boolean {
  const expected = keys.shared.map((key) => standardHmac(key, id, timestamp, body).digest());
  if (matchesAny(signatures.v1, expected)) return true;
  if (signatures.v1a.length === 0) return false;
  const content = standardContent(id, timestamp, body);
  return signatures.v1a.some((signature) => keys.public.some((key) => verify(null, content, key, signature)));
}

function parseHeaders(headers: StandardWebhookHeaders, keys: VerificationKeys): ParsedHeaders | SignatureRefusal {
  if (!headers.id || !headers.timestamp || !headers.signature) return 'missing_header';
  if (!webhookIdPattern.test(headers.id)) return 'malformed_id';
  const timestamp = parseTimestamp(headers.timestamp);
  if (timestamp === undefined) return 'malformed_timestamp';
  const signatures = parseSignatures(headers.signature, keys);
  return typeof signatures === 'string' ? signatures : { id: headers.id, timestamp, signatures };
}

function isVersion(text: string): text is Version {
  return Object.hasOwn(signatureLength, text);
}

// A sender may put hundreds of signatures before the server has to check any: no honest one needs more than these.
const maxEntries = 16;

function parseSignatures(header: string, keys: VerificationKeys): ParsedHeaders['signatures'] | SignatureRefusal {
  const signatures: Record<Version, Uint8Array[]> = { v1: [], v1a: [] };
  const usable = { v1: keys.shared.length > 0, v1a: keys.public.length > 0 };
  let usableVersion = false;
  const entries = header.split(' ');
  if (entries.length > maxEntries) return 'malformed_header';
  for (const entry of entries) {
    const [, version, base64] = /^([a-z0-9]+),([^,]*)$/.exec(entry) ?? [];
    if (version === undefined || base64 === undefined) return 'malformed_header';
    if (!isVersion(version) || !usable[version]) continue;
    usableVersion = true;
    const bytes = decodeBase64(base64);
    // One cut entry beside a whole one must not stop a rotation.
    if (bytes?.length === signatureLength[version]) signatures[version].push(bytes);
  }
  if (signatures.v1.length + signatures.v1a.length > 0) return signatures;
  return usableVersion ? 'malformed_signature' : 'unsupported_version';
}

import { decodeBase64, decodePublicKey, decodeSecret, webhookIdPattern } from './key-text.ts';

// WebCrypto only, because receivers run this on any platform.

/** Reasons for a rejection, in the order of the checks, each with a sentence for the person who fixes it. */
export const signatureRejectionHints = {
  invalid_secret:
    'A secret or public key is empty or incomplete: copy the whole value (whsec_… or whpk_…), without line breaks.',
  missing_header: 'A signature header is absent: check that the request is a webhook and that no proxy drops headers.',
  malformed_header: 'The signature header does not have the expected form, or it was sent more than once.',
  malformed_id: 'The webhook-id header is not a plain id of printable characters without a full stop.',
  malformed_timestamp: 'The timestamp is not a whole number of seconds since 1970 in plain digits.',
  unsupported_version:
    'No signature in the header can be checked with what was given: v1 needs the secret (whsec_), v1a the public key (whpk_).',
  malformed_signature: 'The signature has the wrong length or alphabet: check that the header arrives uncut.',
  timestamp_too_old: 'The delivery was signed too long ago: reject it as a replay, or check this machine’s clock.',
  timestamp_in_future:
    'The delivery was signed in the future: check this machine’s clock, and that its time is given in the right unit.',
  no_matching_signature:
    'No signature matches: check that the secret is this endpoint’s, and that the body is the raw bytes as received.',
} as const satisfies Record<string, string>;

export type SignatureRejection = keyof typeof signatureRejectionHints;

/** `timestamp`: when the attempt was signed, in unix seconds. */
export type SignatureCheck =
  | { readonly ok: true; readonly timestamp: number }
  | { readonly ok: false; readonly reason: SignatureRejection };

interface ServiceSignatureInput extends TimestampWindow {
  readonly header: string | null | undefined;
  /** The raw body, before parsing. */
  readonly body: Uint8Array;
  /** The endpoint's secrets, several during a rotation. All must be well-formed. */
  readonly secrets: readonly string[];
}

/**
 * Verifies `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, keyed by the UTF-8 bytes of the whole secret.
 * Any secret may match. Rejects with RangeError if `now` or `toleranceSeconds` is not finite.
 */
export async function verifyServiceSignature(input: ServiceSignatureInput): Promise<SignatureCheck> {
  const keys = readKeys(input.secrets);
  if (keys === undefined || keys.public.length > 0) return { ok: false, reason: 'invalid_secret' };
  const parsed = parseHeader(input.header);
  if (typeof parsed === 'string') return { ok: false, reason: parsed };
  const outside = checkTimestamp(parsed.timestamp, input);
  if (outside !== undefined) return { ok: false, reason: outside };
  const content = signedContent(`${parsed.timestamp}.`, input.body);
  const expected = await hmacs(input.secrets.map(encode), content);
  if (!matchesAny([parsed.signature], expected)) return { ok: false, reason: 'no_matching_signature' };
  return { ok: true, timestamp: parsed.timestamp };
}

interface ServiceHeader {
  readonly timestamp: number;
  readonly signature: Uint8Array;
}

function parseHeader(header: string | null | undefined): ServiceHeader | SignatureRejection {
  if (header === null || header === undefined || header === '') return 'missing_header';
  const [, seconds, version, hex] = /^t=([^,=]*),([a-z0-9]+)=([^,=]*)$/.exec(header) ?? [];
  if (seconds === undefined || hex === undefined) return 'malformed_header';
  const timestamp = parseTimestamp(seconds);
  if (timestamp === undefined) return 'malformed_timestamp';
  if (version !== 'v1') return 'unsupported_version';
  if (!/^[0-9a-f]{64}$/.test(hex)) return 'malformed_signature';
  return { timestamp, signature: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) };
}

export interface StandardWebhookHeaders {
  readonly id: string | null | undefined;
  readonly timestamp: string | null | undefined;
  readonly signature: string | null | undefined;
}

interface StandardWebhookInput extends TimestampWindow {
  readonly headers: StandardWebhookHeaders;
  /** The raw body, before parsing. */
  readonly body: Uint8Array;
  /** Secrets (`whsec_…`) and public keys (`whpk_…`), several during a rotation. All must be well-formed. */
  readonly secrets: readonly string[];
}

/**
 * Verifies a delivery of Standard Webhooks 1.0.0, over `<id>.<t>.<body>`: `v1` is HMAC-SHA256 keyed by a decoded
 * secret, `v1a` Ed25519 with a public key. Any key may match any entry of its version; other versions are ignored.
 * Rejects with RangeError if `now` or `toleranceSeconds` is not finite.
 */
export async function verifyStandardWebhook(input: StandardWebhookInput): Promise<SignatureCheck> {
  const keys = readKeys(input.secrets);
  if (keys === undefined) return { ok: false, reason: 'invalid_secret' };
  const parsed = parseHeaders(input.headers, keys);
  if (typeof parsed === 'string') return { ok: false, reason: parsed };
  const outside = checkTimestamp(parsed.timestamp, input);
  if (outside !== undefined) return { ok: false, reason: outside };
  if (!(await matches(parsed, keys, input.body))) return { ok: false, reason: 'no_matching_signature' };
  return { ok: true, timestamp: parsed.timestamp };
}

type Version = 'v1' | 'v1a';
const signatureLength: Readonly<Record<Version, number>> = { v1: 32, v1a: 64 };

interface ParsedHeaders {
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: Readonly<Record<Version, readonly Bytes[]>>;
}

async function matches(
  { id, timestamp, signatures }: ParsedHeaders,
  keys: VerificationKeys,
  body: Uint8Array,
): Promise<boolean> {
  const content = signedContent(`${id}.${timestamp}.`, body);
  if (matchesAny(signatures.v1, await hmacs(keys.shared, content))) return true;
  for (const key of signatures.v1a.length === 0 ? [] : keys.public) {
    const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    for (const signature of signatures.v1a) {
      if (await crypto.subtle.verify('Ed25519', imported, signature, content)) return true;
    }
  }
  return false;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface VerificationKeys {
  /** For `v1`: decoded secrets. */
  readonly shared: readonly Bytes[];
  /** For `v1a`: Ed25519 public keys. */
  readonly public: readonly Bytes[];
}

/** Undefined without a key or if any is malformed, so that a broken configuration shows at once. */
function readKeys(texts: readonly string[]): VerificationKeys | undefined {
  const shared = texts.map(decodeSecret).filter((key) => key !== undefined);
  const publicKeys = texts.map(decodePublicKey).filter((key) => key !== undefined);
  const found = shared.length + publicKeys.length;
  return found === 0 || found !== texts.length ? undefined : { shared, public: publicKeys };
}

function encode(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** In one buffer: WebCrypto is not incremental. */
function signedContent(start: string, body: Uint8Array): Bytes {
  const head = encode(start);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

function hmacs(keys: readonly Bytes[], content: Bytes): Promise<Uint8Array[]> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return Promise.all(
    keys.map(async (key) => {
      const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
      return new Uint8Array(await crypto.subtle.sign('HMAC', imported, content));
    }),
  );
}

function parseHeaders(headers: StandardWebhookHeaders, keys: VerificationKeys): ParsedHeaders | SignatureRejection {
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

// Limits the work that a long list of signatures causes.
const maxEntries = 16;

function parseSignatures(header: string, keys: VerificationKeys): ParsedHeaders['signatures'] | SignatureRejection {
  const signatures: Record<Version, Bytes[]> = { v1: [], v1a: [] };
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
    // A truncated entry beside a valid one must not break a rotation.
    if (bytes?.length === signatureLength[version]) signatures[version].push(bytes);
  }
  if (signatures.v1.length + signatures.v1a.length > 0) return signatures;
  return usableVersion ? 'malformed_signature' : 'unsupported_version';
}

interface TimestampWindow {
  /** The receiver's clock in unix seconds, may have a fraction. */
  readonly now: number;
  /** To either side; default 300 (5 minutes). */
  readonly toleranceSeconds?: number | undefined;
}

/** Undefined inside the window, edges included. @throws RangeError for NaN, with which every replay would pass */
export function checkTimestamp(timestamp: number, window: TimestampWindow): SignatureRejection | undefined {
  const { now, toleranceSeconds = 300 } = window;
  if (!Number.isFinite(now)) throw new RangeError('now must be finite unix seconds');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new RangeError('toleranceSeconds must be finite and not negative');
  }
  if (now - timestamp > toleranceSeconds) return 'timestamp_too_old';
  if (timestamp - now > toleranceSeconds) return 'timestamp_in_future';
  return undefined;
}

/** Reads unix seconds strictly: at most 15 digits, no sign, leading zero or exponent. Undefined otherwise. */
function parseTimestamp(text: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
}

/** Compares all pairs in constant time, so that timing reveals neither a matching part nor the secret in use. */
export function matchesAny(offered: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let matched = false;
  for (const signature of offered) {
    for (const digest of expected) {
      matched = isEqual(signature, digest) || matched;
    }
  }
  return matched;
}

function isEqual(signature: Uint8Array, digest: Uint8Array): boolean {
  if (signature.length !== digest.length) return false;
  let difference = 0;
  for (const [index, byte] of digest.entries()) difference |= byte ^ (signature[index] ?? 0);
  return difference === 0;
}

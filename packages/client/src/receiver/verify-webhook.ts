import { types } from 'node:util';
import { parsePublicKey, signatureRejectionHints, verifyServiceSignature, verifyStandardWebhook } from '@finhook/signing';

/** Headers of a request: a `Headers` object, or a record such as Node's `request.headers`. The case of names is free. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One delivery as it arrived, and what is needed to check it. */
export interface WebhookInput {
  /** The raw body, before any parsing; a string stands for its UTF-8 bytes. */
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret (`whsec_…`) or public key (`whpk_…`), or all that are valid during a rotation. */
  readonly secret: string | readonly string[];
  /** The receiver's clock in milliseconds since 1970; `Date.now` when absent. */
  readonly now?: (() => number) | undefined;
  /** How old, or how far ahead, a delivery's timestamp may be, in seconds; 300 when absent. */
  readonly toleranceSeconds?: number | undefined;
}

/** Why a delivery was refused, and one plain sentence for the person who has to mend it. */
export const webhookRejectionHints = {
  ...signatureRejectionHints,
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
export type WebhookRejection = keyof typeof webhookRejectionHints;

/** A refused delivery: answer it with 400 and log the hint; it carries no secret and nothing of the body. */
export interface RejectedWebhook {
  readonly ok: false;
  readonly reason: WebhookRejection;
  readonly hint: string;
}

/** The refusal for one reason, with its hint. */
export function rejectWebhook(reason: WebhookRejection): RejectedWebhook {
  return { ok: false, reason, hint: webhookRejectionHints[reason] };
}

/** A genuine delivery. `id` is the event's id, the same on every attempt: drop what was seen before. */
export interface VerifiedWebhook {
  readonly ok: true;
  readonly id: string;
  /** When this attempt was signed, in unix seconds. */
  readonly timestamp: number;
}

/**
 * Verifies one delivery by `x-service-signature`, or by `webhook-signature` (Standard Webhooks 1.0.0) where the first
 * is absent or made with another secret. The id is read from the signed body: `x-service-signature` doesn't cover the
 * `webhook-id` header. Throws RangeError only when `now` or `toleranceSeconds` is not a usable number.
 */
export function verifyWebhook(input: WebhookInput): VerifiedWebhook | RejectedWebhook {
  const signed = readSignedJson(input);
  if (!signed.ok) return signed;
  const id = readId(signed.json);
  return id === undefined ? rejectWebhook('malformed_event') : { ok: true, id, timestamp: signed.timestamp };
}

function readId(json: unknown): string | undefined {
  const isRecord = typeof json === 'object' && json !== null && Object.hasOwn(json, 'id');
  return isRecord && 'id' in json && typeof json.id === 'string' ? json.id : undefined;
}

/** A verified body, and when its attempt was signed in unix seconds. */
interface SignedJson {
  readonly ok: true;
  readonly timestamp: number;
  readonly json: unknown;
}

/** Verifies a delivery, and only then parses its body. */
export function readSignedJson(input: WebhookInput): SignedJson | RejectedWebhook {
  const body = readRawBody(input.body);
  if (typeof body === 'string') return rejectWebhook(body);
  const signed = verify(input, body);
  if (!signed.ok) return rejectWebhook(signed.reason);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { ok: true, timestamp: signed.timestamp, json: JSON.parse(text) };
  } catch {
    return rejectWebhook('malformed_json');
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

/**
 * Reads one header whatever the case of its name; undefined when it is absent. A header that came more than once is
 * joined with commas, as HTTP does, so that the strict parsers refuse it.
 */
function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

// By shape, because frameworks and test environments bring a Headers class of their own.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

/**
 * Gives the bytes of a raw body without copying them (a string is encoded as UTF-8), or the reason why it has none:
 * callers without types pass what their framework left in `request.body`.
 */
function readRawBody(body: unknown): Uint8Array | 'missing_body' | 'body_not_read' | 'body_already_parsed' {
  if (body === undefined || body === null) return 'missing_body';
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (types.isUint8Array(body)) return body;
  if (types.isArrayBuffer(body)) return new Uint8Array(body);
  if (typeof body !== 'object') return 'body_already_parsed';
  return isUnread(body) ? 'body_not_read' : 'body_already_parsed';
}

/** A promise, a stream of Node's or the web's, a Blob or a whole request: by shape, as nothing parsed has methods. */
function isUnread(body: object): boolean {
  return ['then', 'pipe', 'getReader', 'arrayBuffer'].some((name) => typeof Reflect.get(body, name) === 'function');
}

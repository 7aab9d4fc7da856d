import {
  decodePublicKey,
  signatureRejectionHints,
  verifyServiceSignature,
  verifyStandardWebhook,
} from '@finhook/signing';

/** A `Headers` object, or a record such as Node's `request.headers`. Names are case-insensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookInput {
  /** The raw body, before any parsing; a string is encoded as UTF-8. */
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret (`whsec_…`) or public key (`whpk_…`), several during a rotation. */
  readonly secret: string | readonly string[];
  /** The receiver's clock in milliseconds since 1970; `Date.now` when absent. */
  readonly now?: (() => number) | undefined;
  /** Seconds that a delivery's timestamp may differ from the clock, in either direction; 300 when absent. */
  readonly toleranceSeconds?: number | undefined;
}

/** Reasons for a rejection, each with a hint for developers. */
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

export type WebhookRejection = keyof typeof webhookRejectionHints;

/** A rejected delivery: respond with 400 and log the hint, which contains no secret and nothing of the body. */
export interface RejectedWebhook {
  readonly ok: false;
  readonly reason: WebhookRejection;
  readonly hint: string;
}

export function rejectWebhook(reason: WebhookRejection): RejectedWebhook {
  return { ok: false, reason, hint: webhookRejectionHints[reason] };
}

/** A genuine delivery. `id` is the event's id, the same on every attempt: use it to drop duplicates. */
export interface VerifiedWebhook {
  readonly ok: true;
  readonly id: string;
  /** When this attempt was signed, in unix seconds. */
  readonly timestamp: number;
}

/**
 * Verifies `x-service-signature`, or `webhook-signature` (Standard Webhooks 1.0.0) if the first is absent or made with
 * another secret. The id comes from the body, because `x-service-signature` doesn't cover the `webhook-id` header.
 * Rejects with RangeError if `now` or `toleranceSeconds` is not a usable number.
 */
export async function verifyWebhook(input: WebhookInput): Promise<VerifiedWebhook | RejectedWebhook> {
  const signed = await readSignedJson(input);
  if (!signed.ok) return signed;
  const id = readId(signed.json);
  return id === undefined ? rejectWebhook('malformed_event') : { ok: true, id, timestamp: signed.timestamp };
}

function readId(json: unknown): string | undefined {
  const isRecord = typeof json === 'object' && json !== null && Object.hasOwn(json, 'id');
  return isRecord && 'id' in json && typeof json.id === 'string' ? json.id : undefined;
}

interface SignedJson {
  readonly ok: true;
  readonly timestamp: number;
  readonly json: unknown;
}

export async function readSignedJson(input: WebhookInput): Promise<SignedJson | RejectedWebhook> {
  const body = readRawBody(input.body);
  if (typeof body === 'string') return rejectWebhook(body);
  const signed = await verify(input, body);
  if (!signed.ok) return rejectWebhook(signed.reason);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { ok: true, timestamp: signed.timestamp, json: JSON.parse(text) };
  } catch {
    return rejectWebhook('malformed_json');
  }
}

async function verify(input: WebhookInput, body: Uint8Array) {
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
  // `x-service-signature` is made with shared secrets only.
  const shared = secrets.filter((secret) => decodePublicKey(secret) === undefined);
  if (shared.length === 0 && secrets.length > 0) return verifyStandard();
  const header = readHeader(headers, 'x-service-signature');
  const service = await verifyServiceSignature({ header, secrets: shared, ...rest });
  // During a rotation this header has the old signature, the standard header both.
  const fallsBack = !service.ok && ['missing_header', 'no_matching_signature'].includes(service.reason);
  if (!fallsBack) return service;
  const standard = await verifyStandard();
  return standard.ok || service.reason === 'missing_header' ? standard : service;
}

/** Repeated headers are joined with commas, which the parsers reject. */
function readHeader(headers: WebhookHeaders | null | undefined, name: string): string | undefined {
  // In JavaScript the value may have any type.
  if (headers === null || headers === undefined) return undefined;
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

// No instanceof: frameworks and test environments have their own Headers class.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

/** The bytes, not copied, or the reason for a rejection: in JavaScript `request.body` may be anything. */
function readRawBody(body: unknown): Uint8Array | 'missing_body' | 'body_not_read' | 'body_already_parsed' {
  if (body === undefined || body === null) return 'missing_body';
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  if (typeof body !== 'object') return 'body_already_parsed';
  return isUnread(body) ? 'body_not_read' : 'body_already_parsed';
}

// No instanceof: test environments have their own ArrayBuffer.
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]';
}

/** True for a promise, a Node or web stream, a Blob or a whole request. Parsed JSON has no methods. */
function isUnread(body: object): boolean {
  return ['then', 'pipe', 'getReader', 'arrayBuffer'].some((name) => typeof Reflect.get(body, name) === 'function');
}

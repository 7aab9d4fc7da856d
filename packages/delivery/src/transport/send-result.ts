import { isOwnHeader } from '../redact/redact-echo.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** Stored facts of an attempt, from which most request headers follow. */
export type AttemptFacts = {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly bodyBytes: number | undefined;
  readonly at: Date;
  readonly test: boolean;
};

export const maskedHeaderValue = '***';

// Recorded attempts are read with these values. Never change one: if `prepareRequest` sends another value, it is
// stored.
const impliedValues: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'finhook/1',
};
// Sent with `accept`, which is stored: version 0.2 sent neither.
const acceptEncoding = 'identity';
const defaultAccept = '*/*';
const impliedNames: ReadonlySet<string> = new Set([
  'content-length',
  'webhook-id',
  'webhook-timestamp',
  'x-service-event',
  'x-service-delivery',
  'x-service-attempt',
  'x-service-test',
]);

// The only headers stored for a success, because there are millions.
const requestIds: ReadonlySet<string> = new Set([
  'request-id',
  'x-request-id',
  'x-correlation-id',
  'x-trace-id',
  'traceresponse',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-azure-ref',
  'x-vercel-id',
  'fly-request-id',
  'cf-ray',
]);

function keptResponseHeaders(result: SendResult): Readonly<Record<string, string>> | undefined {
  if (result.kind === 'error') return result.response?.headers;
  const { headers, statusCode } = result;
  if (statusCode < 200 || statusCode > 299) return headers;
  let kept: Record<string, string> | undefined;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && requestIds.has(name)) kept = { ...kept, [name]: value };
  }
  return kept;
}

/** The request and response of an attempt to store, with the owner's headers masked. */
export function evidenceOf({ url, headers }: PreparedRequest, result: SendResult): AttemptEvidence {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (name === 'accept') kept[name] = value === defaultAccept ? value : maskedHeaderValue;
    else if (name === 'accept-encoding' && value === acceptEncoding && headers['accept'] !== undefined) continue;
    else if (!isOwnHeader(name)) kept[name] = maskedHeaderValue;
    else if (!impliedNames.has(name) && impliedValues[name] !== value) kept[name] = value;
  }
  return {
    url,
    requestHeaders: kept,
    responseHeaders: keptResponseHeaders(result),
    remoteAddress: result.remoteAddress,
    timings: result.timings,
  };
}

const signatureNames: ReadonlySet<string> = new Set(['x-service-signature', 'webhook-signature']);

/** Masks the signatures, which allow a replay of the request for five minutes. */
export function maskSignatures(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      signatureNames.has(name) ? maskedHeaderValue : value,
    ]),
  );
}

/** Restores the request headers of an attempt from its stored facts and the headers of `evidenceOf`. */
export function sentHeaders(kept: Readonly<Record<string, string>>, facts: AttemptFacts): Record<string, string> {
  return {
    ...impliedValues,
    ...(kept['accept'] === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    ...(facts.bodyBytes === undefined ? {} : { 'content-length': String(facts.bodyBytes) }),
    'webhook-id': facts.eventId,
    'webhook-timestamp': String(Math.floor(facts.at.getTime() / 1000)),
    'x-service-event': facts.eventType,
    'x-service-delivery': facts.deliveryId,
    'x-service-attempt': String(facts.attempt),
    ...(facts.test ? { 'x-service-test': 'true' } : {}),
    ...kept,
  };
}

/** Why there was no response. `blocked_address` is permanent, all others may be transient. */
export type ErrorClass =
  | 'blocked_address'
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'protocol'
  | 'unknown';

/** Whole milliseconds. The steps of connecting are null for a reused connection, and if not needed or not reached. */
export type SendTimings = {
  readonly reused: boolean | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
};

/** Stored to explain an attempt. Contains no secret. */
export type AttemptEvidence = {
  readonly url: string;
  /** Headers that don't follow from the rest of the record; `sentHeaders` restores the others. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** All headers of a failure; of a 2xx only request ids, which occur in the receiver's logs. */
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly remoteAddress: string | undefined;
  readonly timings: SendTimings | undefined;
};

/** Header names are in lower case; `bodySnippet` is redacted UTF-8 of at most 4 KiB. */
export type ReceivedResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySnippet: string;
};

export type SendResponse = ReceivedResponse & {
  readonly kind: 'response';
  /** True if the body ended early: a reset, a short length, an invalid chunk. */
  readonly responseTruncated?: boolean;
  readonly durationMs: number;
  readonly remoteAddress?: string;
  readonly timings?: SendTimings;
  readonly evidence?: AttemptEvidence;
};

/** `message` contains no secrets or addresses; `sentBytes` counts body bytes written to the socket. */
export type SendFailure = {
  readonly kind: 'error';
  readonly errorClass: ErrorClass;
  /** A code of Node or OpenSSL in upper case (`ECONNRESET`), or a word of this package in lower case. */
  readonly errorCode?: string | undefined;
  readonly message: string;
  /** The partial response that was late, cut off in its head, or invalid. */
  readonly response?: ReceivedResponse | undefined;
  /** True if a byte of a response arrived: the receiver has read the request. */
  readonly hasResponseBegun?: boolean;
  readonly durationMs: number;
  readonly sentBytes?: number;
  readonly remoteAddress?: string;
  readonly timings?: SendTimings;
  readonly evidence?: AttemptEvidence;
};

export type SendResult = SendResponse | SendFailure;

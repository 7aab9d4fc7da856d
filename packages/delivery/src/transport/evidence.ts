import { isOwnHeader } from '../redact/redact-echo.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { AttemptEvidence, SendResult } from './send-result.ts';

/** What a record of an attempt says of itself, from which most of its request headers follow. */
export type AttemptFacts = {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** From 1. */
  readonly attempt: number;
  /** Bytes of the body; undefined when the event is no longer there. */
  readonly bodyBytes: number | undefined;
  readonly at: Date;
  readonly test: boolean;
};

/** What stands for the value of a header that the endpoint's owner set. */
export const maskedHeaderValue = '***';

// Attempts that were recorded already are read with these: a new value in `prepareRequest` is stored, not changed here.
const impliedValues: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'finhook/1',
};
const impliedNames: ReadonlySet<string> = new Set([
  'content-length',
  'webhook-id',
  'webhook-timestamp',
  'x-service-event',
  'x-service-delivery',
  'x-service-attempt',
  'x-service-test',
]);

// A success is millions of rows, and its other headers explain nothing.
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

function keptAnswer(result: SendResult): Readonly<Record<string, string>> | undefined {
  if (result.kind === 'error') return undefined;
  const { headers, statusCode } = result;
  if (statusCode < 200 || statusCode > 299) return headers;
  let kept: Record<string, string> | undefined;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && requestIds.has(name)) kept = { ...kept, [name]: value };
  }
  return kept;
}

/** The evidence of one attempt: the request as it was sent, with the owner's own header values masked, and the answer. */
export function evidenceOf({ url, headers }: PreparedRequest, result: SendResult): AttemptEvidence {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!isOwnHeader(name)) kept[name] = maskedHeaderValue;
    else if (!impliedNames.has(name) && impliedValues[name] !== value) kept[name] = value;
  }
  return {
    url,
    requestHeaders: kept,
    responseHeaders: keptAnswer(result),
    remoteAddress: result.remoteAddress,
    timings: result.timings,
  };
}

const signatureNames: ReadonlySet<string> = new Set(['x-service-signature', 'webhook-signature']);

/** The same headers without their signatures, which let anyone repeat the request for five minutes. */
export function maskSignatures(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      signatureNames.has(name) ? maskedHeaderValue : value,
    ]),
  );
}

/** All request headers of an attempt as they were sent, from its record and what `evidenceOf` kept of them. */
export function sentHeaders(kept: Readonly<Record<string, string>>, facts: AttemptFacts): Record<string, string> {
  return {
    ...impliedValues,
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

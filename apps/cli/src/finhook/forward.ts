import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { createSigner, deliveryHeaders } from '@finhook/signing';
import { reasonOf } from '../reason-of.ts';
import { Failure, usageFailure } from './failure.ts';
import type { Connection } from './profiles.ts';

export interface FeedEvent {
  id: string;
  type: string;
  created_at: string;
  company_id?: string | null | undefined;
  data: Readonly<Record<string, unknown>>;
}

export function readPayload(text = 'full'): 'full' | 'thin' {
  if (text !== 'full' && text !== 'thin') throw usageFailure(`--payload ${text} is neither full nor thin.`);
  return text;
}

/** The thin form of an event; the whole event if its type is unknown to this version. */
export async function toThin(event: FeedEvent): Promise<FeedEvent> {
  const { isAnyEventType, thinData } = await import('@finhook/contracts');
  return isAnyEventType(event.type) ? { ...event, data: thinData(event.type, event.data) } : event;
}

export interface Forwarded {
  event_id: string;
  type: string;
  /** Null without a response, whose reason is `error`. */
  status: number | null;
  body: string;
  /** True if the body was cut off, or longer than the service reads. */
  response_truncated: boolean;
  /** Null unless the attempt failed for another reason than its status. */
  error: string | null;
  duration_ms: number;
}

const TIMEOUT_MS = 15_000;
const MAX_READ = 64 * 1_024;
const MAX_HEADERS = 256 * 1_024;
const MAX_BODY = 500;

/** Signs everything that is forwarded; printed only with `--print-secret`. */
export function readWebhookSecret({ webhookSecret }: Connection): string {
  if (webhookSecret === undefined) {
    throw usageFailure(
      'There is no secret to sign with. Set FINHOOK_WEBHOOK_SECRET, or use a profile (finhook login).',
    );
  }
  return webhookSecret;
}

export function readReceiver(text: string): URL {
  const url = URL.parse(/^\d+$/.test(text) ? `http://127.0.0.1:${text}/` : text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageFailure(`--forward-to ${text} is not an http or https address.`);
  return url;
}

function headersOf(event: FeedEvent, body: Buffer, secret: string, isTest: boolean): Record<string, string> {
  const signer = createSigner(secret);
  const timestamp = Math.floor(Date.now() / 1_000);
  const id = event.id.replace(/^evt_/, 'dlv_');
  return deliveryHeaders(
    { id, eventId: event.id, eventType: event.type, attempt: 1, test: isTest },
    { timestamp, service: signer.service(timestamp, body), standard: signer.standard(event.id, timestamp, body) },
  );
}

interface ForwardOptions {
  isTest?: boolean;
  timeoutMs?: number;
}

/**
 * Posts like the service: same headers, both signatures, no redirects. The status decides even if the body is cut off;
 * a body that doesn't end in time is an error.
 */
export async function forward(
  event: FeedEvent,
  url: URL,
  secret: string,
  { isTest = false, timeoutMs = TIMEOUT_MS }: ForwardOptions = {},
): Promise<Forwarded> {
  const body = Buffer.from(JSON.stringify(event));
  const headers = signed(() => headersOf(event, body, secret, isTest));
  const started = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const limit = `within ${timeoutMs / 1_000} s`;
  const result = await post(url, { headers, body, signal }).then(
    async (response) => {
      const status = response.statusCode ?? 0;
      const { isWhole, text } = await readBeginning(response);
      const error = !isWhole && signal.aborted ? `${status} arrived; its body did not end ${limit}` : null;
      return { status, body: text, response_truncated: !isWhole, error };
    },
    (error: unknown) => {
      const reason = signal.aborted ? `no response arrived ${limit}` : reasonOf(error);
      return { status: null, body: '', response_truncated: false, error: reason };
    },
  );
  return { event_id: event.id, type: event.type, ...result, duration_ms: Math.round(performance.now() - started) };
}

interface Posted {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  signal: AbortSignal;
}

/** Not `fetch`, which rejects some ports, `100 Continue` and headers that the service accepts. */
function post(url: URL, { headers, body, signal }: Posted): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestTls : requestPlain;
  const all = { accept: '*/*', 'accept-encoding': 'identity', ...headers, 'content-length': body.byteLength };
  const options = { method: 'POST', headers: all, agent: false, maxHeaderSize: MAX_HEADERS, signal };
  return new Promise((resolve, reject) => {
    send(url, options).on('response', resolve).on('error', reject).end(body);
  });
}

async function readBeginning(response: IncomingMessage): Promise<{ isWhole: boolean; text: string }> {
  const read: AsyncIterable<Uint8Array> = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = true;
  try {
    for await (const chunk of read) {
      chunks.push(chunk);
      size += chunk.length;
      isWhole = size <= MAX_READ;
      if (!isWhole) break;
    }
  } catch {
    isWhole = false;
  }
  // A compressed body was not requested, and is shown like by the service.
  const isCompressed = size > 0 && !['', 'identity'].includes(response.headers['content-encoding'] ?? '');
  const text = isCompressed ? '[compressed response body]' : Buffer.concat(chunks).toString().slice(0, MAX_BODY);
  return { isWhole, text };
}

function signed<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Failure(`FINHOOK_WEBHOOK_SECRET can't be used: ${reasonOf(error)}`);
  }
}

export function isAccepted({ status, error }: Forwarded): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

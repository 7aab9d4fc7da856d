import { createSigner, deliveryHeaders } from '@finhook/signing';
import { Failure, usageFailure } from './failure.ts';
import type { Connection } from './profiles.ts';

export interface FeedEvent {
  id: string;
  type: string;
  created_at: string;
  company_id?: string | null;
}

export interface Forwarded {
  event_id: string;
  type: string;
  /** Null without a response; then `error` says why. */
  status: number | null;
  body: string;
  error: string | null;
  duration_ms: number;
}

/** The service's default. */
const TIMEOUT_MS = 15_000;
const MAX_BODY = 500;

/** Whatever arrives is signed with this secret; it is never printed unless asked for by `--print-secret`. */
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

/** Posts an event as the service would: the same headers, both signatures, no redirects. */
export async function forward(event: FeedEvent, url: URL, secret: string, isTest = false): Promise<Forwarded> {
  const body = Buffer.from(JSON.stringify(event));
  const headers = signed(() => headersOf(event, body, secret, isTest));
  const started = performance.now();
  const result = { event_id: event.id, type: event.type };
  const elapsed = (): number => Math.round(performance.now() - started);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = (await response.text()).slice(0, MAX_BODY);
    return { ...result, status: response.status, body: text, error: null, duration_ms: elapsed() };
  } catch (error) {
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    return { ...result, status: null, body: '', error: reason, duration_ms: elapsed() };
  }
}

function signed<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Failure(
      `FINHOOK_WEBHOOK_SECRET can't be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export function isAccepted({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

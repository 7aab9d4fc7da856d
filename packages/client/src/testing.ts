import { decodeSecret, deliveryHeaders } from '@finhook/signing';
import type { ThinWebhookEvent, WebhookEvent, WebhookEventType } from './contracts.ts';
import { samples, thinSamples } from './samples.ts';

type Payload = 'full' | 'thin';

export type EventOf<Type extends WebhookEventType, Form extends Payload = 'full'> = Extract<
  Form extends 'thin' ? ThinWebhookEvent : WebhookEvent,
  { type: Type }
>;

/** A delivery to post to the tested receiver. */
export interface SampleDelivery<Type extends WebhookEventType, Form extends Payload = 'full'> {
  readonly event: EventOf<Type, Form>;
  /** The signed bytes, as text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SampleOptions<Type extends WebhookEventType, Form extends Payload = 'full'> {
  /** Secret of the tested receiver: `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string;
  /** Fields that replace those of the sample. */
  readonly data?: Partial<EventOf<Type, Form>['data']> | undefined;
  /** The `payload` of the endpoint: `full` (the default), or `thin` with IDs, status and counts. */
  readonly payload?: Form | undefined;
  /** ID of the event; random when absent. */
  readonly id?: string | undefined;
  /** Unix seconds at which the delivery is signed; now when absent. */
  readonly timestamp?: number | undefined;
}

/**
 * Signs a sample event as the service does. Rejects with TypeError for a malformed secret.
 *
 * `const { body, headers } = await signSampleEvent('bank.balance.updated', { secret, data: { balance_cents: 100 } });`
 */
export async function signSampleEvent<Type extends WebhookEventType, Form extends Payload = 'full'>(
  type: Type,
  options: SampleOptions<Type, Form>,
): Promise<SampleDelivery<Type, Form>> {
  const { secret, timestamp = Math.floor(Date.now() / 1000), id = randomEventId() } = options;
  const key = decodeSecret(secret);
  if (key === undefined) throw new TypeError('secret must be whsec_ and the base64 of 24 to 64 bytes');
  const sample = options.payload === 'thin' ? thinSamples[type] : samples[type];
  const event = asEvent<Type, Form>({
    id,
    type,
    created_at: new Date(timestamp * 1000).toISOString(),
    account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
    // Events about API keys and endpoints belong to no company.
    ...(/^(api_key|webhook_endpoint)\./.test(type) ? {} : { company_id: 'co_01kgw3q2m8v7d5n0r4t6x9zabc' }),
    data: { ...sample, ...options.data },
  });
  const body = JSON.stringify(event);
  const service = await hmac(new TextEncoder().encode(secret), `${timestamp}.${body}`);
  const standard = await hmac(key, `${id}.${timestamp}.${body}`);
  const hex = Array.from(service, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const headers = deliveryHeaders(
    { id: id.replace(/^evt_/, 'dlv_'), eventId: id, eventType: type, attempt: 1 },
    { timestamp, service: `t=${timestamp},v1=${hex}`, standard: `v1,${btoa(String.fromCharCode(...standard))}` },
  );
  return { event, body, headers };
}

function randomEventId(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return `evt_${Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')}`;
}

async function hmac(key: Uint8Array<ArrayBuffer>, content: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(content)));
}

function asEvent<Type extends WebhookEventType, Form extends Payload>(event: object): EventOf<Type, Form> {
  return event as EventOf<Type, Form>;
}

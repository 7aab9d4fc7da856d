import { createAsymmetricSigner, createSigner } from '@finhook/signing';

export const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;

export interface DeliveryKeys {
  /** The first signs `x-service-signature`, all of them sign the standard header, as in a rotation. */
  readonly secrets: readonly string[];
  /** Adds a `v1a` signature. */
  readonly privateKey?: string;
  /** Unix seconds; now when absent. */
  readonly timestamp?: number;
}

/** The bytes and headers of one attempt, as the service sends them. */
export interface SignedDelivery {
  readonly body: Buffer<ArrayBuffer>;
  readonly headers: Record<string, string>;
}

export function signedDelivery(
  event: { readonly id: string; readonly type: string },
  keys: DeliveryKeys,
): SignedDelivery {
  const { secrets, privateKey, timestamp = Math.floor(Date.now() / 1000) } = keys;
  const body = Buffer.from(JSON.stringify(event));
  const signers = secrets.map(createSigner);
  const entries = signers.map((signer) => signer.standard(event.id, timestamp, body));
  if (privateKey !== undefined) entries.push(createAsymmetricSigner(privateKey).standard(event.id, timestamp, body));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'finhook/1',
      ...Object.fromEntries(
        signers.slice(0, 1).map((signer) => ['x-service-signature', signer.service(timestamp, body)]),
      ),
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': entries.join(' '),
      'x-service-event': event.type,
      'x-service-delivery': 'dlv_01kgw3q2m8v7d5n0r4t6x9zabc',
      'x-service-attempt': '1',
    },
  };
}

/** Posts it to `<url>/webhooks`. */
export async function post(url: string, { body, headers }: SignedDelivery): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

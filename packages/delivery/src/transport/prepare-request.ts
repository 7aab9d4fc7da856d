import type { Signer } from '@finhook/signing';

type DeliveryToSend = {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  /** From 1. */
  readonly attempt: number;
  /** The event's stored bytes: signed and sent as they are. */
  readonly body: Uint8Array;
  /** A test send, which receivers must be able to tell apart. */
  readonly test: boolean;
};

/** Who signs the deliveries of an endpoint. */
type TargetSigners = {
  /** Signs both schemes. While a rotation overlaps this is the old secret's, so that no receiver breaks (D44). */
  readonly signer: Signer;
  /** Further signatures in `webhook-signature`, which is a list: those of the new secret while a rotation overlaps, and `v1a`. */
  readonly overlapSigners: readonly Pick<Signer, 'standard'>[];
};

export type DeliveryTarget = TargetSigners & {
  readonly url: string;
  /** The endpoint's own headers, names in lower case; where the service sets one itself, its value holds. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** While a secret is rotated the service's signature stays with the old one, and `webhook-signature` lists both (D44). */
export function signersOf(keys: {
  readonly current: Signer;
  readonly previous: Signer | undefined;
  readonly asymmetric: Pick<Signer, 'standard'> | undefined;
}): TargetSigners {
  const { current, previous, asymmetric } = keys;
  return {
    signer: previous ?? current,
    overlapSigners: [...(previous === undefined ? [] : [current]), ...(asymmetric === undefined ? [] : [asymmetric])],
  };
}

export type PreparedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * The headers of one attempt: the service's own signature and, side by side, those of Standard Webhooks 1.0.0
 * (decisions D42, D43). `at` is the attempt's time; its whole seconds are signed, so every attempt is signed anew.
 */
export function prepareRequest(delivery: DeliveryToSend, target: DeliveryTarget, at: Date): PreparedRequest {
  const { body, eventId } = delivery;
  const timestamp = Math.floor(at.getTime() / 1000);
  let signatures = target.signer.standard(eventId, timestamp, body);
  for (const signer of target.overlapSigners) signatures += ` ${signer.standard(eventId, timestamp, body)}`;
  const headers: Record<string, string> = {
    ...target.headers,
    'content-type': 'application/json',
    'content-length': String(body.byteLength),
    'user-agent': 'finhook/1',
    'x-service-signature': target.signer.service(timestamp, body),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures,
    'x-service-event': delivery.eventType,
    'x-service-delivery': delivery.id,
    'x-service-attempt': String(delivery.attempt),
  };
  if (delivery.test) headers['x-service-test'] = 'true';
  return { url: target.url, headers, body };
}

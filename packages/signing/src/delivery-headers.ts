export interface SignedAttempt {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The event's position in its account; a ping has none. */
  readonly sequence?: string | undefined;
  readonly attempt: number;
  /** Adds `x-service-test`. */
  readonly test?: boolean | undefined;
}

/** Over `timestamp`, in unix seconds, and the exact bytes of the body. */
interface Signatures {
  readonly timestamp: number;
  /** Value of `x-service-signature`. */
  readonly service: string;
  /** Value of `webhook-signature`. */
  readonly standard: string;
}

/** The headers of a delivery except `content-length`: the service's own, and those of Standard Webhooks 1.0.0. */
export function deliveryHeaders(
  of: SignedAttempt,
  { timestamp, service, standard }: Signatures,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'finhook/1',
    'x-service-signature': service,
    'webhook-id': of.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard,
    'x-service-event': of.eventType,
    'x-service-delivery': of.id,
    'x-service-attempt': String(of.attempt),
    ...(of.sequence === undefined ? {} : { 'x-service-sequence': of.sequence }),
    ...(of.test ? { 'x-service-test': 'true' } : {}),
  };
}

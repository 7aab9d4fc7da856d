import { z } from 'zod';
import type { Core } from './context.ts';
import type { Secrets } from './secrets.ts';

/** An event whose new deliveries are leased to the worker that receives this. The token of the leases is its id. */
const handOffSchema = z.object({
  eventId: z.string(),
  eventType: z.string(),
  /** The event's position in the sequence of its account. */
  sequence: z.string(),
  accountId: z.string(),
  /** The exact text to send; null for a large one, which is loaded when it is sent. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  traceparent: z.string().optional(),
  /** When it was stored, in ms since the epoch. */
  at: z.number(),
  deliveries: z.array(z.object({ id: z.string(), endpointId: z.string(), endpointVersion: z.string() })),
});
export type HandOff = z.output<typeof handOffSchema>;

export interface EndpointRef {
  id: string;
  accountId: string;
}

/** The way from the transaction that stores deliveries to the workers. It may lose everything: a lease ends then. */
export interface DeliveryQueue {
  /** The lease of new deliveries in ms; 0 while workers are behind or the queue is away: they are due at once then. */
  leaseMs(): number;
  /** Best effort, after the commit: new deliveries, sealed, and endpoints with deliveries that are due. Never throws. */
  add(handOffs: readonly string[], endpoints: readonly EndpointRef[]): void;
}

interface DeliverJobs {
  readonly isAccepting: boolean;
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[] }): Promise<void>;
}

/** The job queue as what leases new deliveries. */
export function toDeliveryQueue(jobs: DeliverJobs, onLost: (error: unknown) => void = () => undefined): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints) => void jobs.deliver({ handOffs, endpoints }).catch(onLost),
  };
}

/** A new delivery of an active endpoint as `newDeliveriesSql` returns it. */
export interface NewDelivery {
  id: string;
  event_id: string;
  position: string;
  account_id: string;
  endpoint_id: string;
  /** Of the endpoint's row: another one when anything of it has changed. */
  version: string;
  leased: boolean;
}

interface NewEvent {
  id: string;
  type: string;
  body: string;
  traceparent?: string | undefined;
}

/** Until a worker has sent or extended it. Longer than a queue that works takes, and soon over when it lost a hand-off. */
export const newDeliveryLeaseMs = 3_000;

/** Longer bodies are loaded when they are sent, so that what a process holds has a bound. */
export const maxInlineBodyBytes = 16 * 1024;

/** Collects the work of a transaction for the workers; it is sent after the commit. */
export class HandOffs {
  readonly #core: Pick<Core, 'clock' | 'queue' | 'secrets'>;
  readonly #handOffs: HandOff[] = [];
  readonly #endpoints = new Map<string, EndpointRef>();

  constructor(core: Pick<Core, 'clock' | 'queue' | 'secrets'>) {
    this.#core = core;
  }

  add(deliveries: readonly NewDelivery[], events: readonly NewEvent[]): void {
    const leased = Map.groupBy(deliveries, ({ leased: is, event_id }) => (is ? event_id : undefined));
    for (const { endpoint_id: id, account_id: accountId } of leased.get(undefined) ?? []) this.poke({ id, accountId });
    for (const { id: eventId, type: eventType, body, traceparent } of events) {
      const [first, ...others] = leased.get(eventId) ?? [];
      if (first === undefined) continue;
      const bodyBytes = Buffer.byteLength(body);
      this.#handOffs.push({
        eventId,
        eventType,
        sequence: String(first.position),
        accountId: first.account_id,
        body: bodyBytes <= maxInlineBodyBytes ? body : null,
        bodyBytes,
        traceparent,
        at: this.#core.clock.now().getTime(),
        deliveries: [first, ...others].map(({ id, endpoint_id, version }) => ({
          id,
          endpointId: endpoint_id,
          endpointVersion: version,
        })),
      });
    }
  }

  /** Of the deliveries that are to be added, in ms. */
  get leaseMs(): number {
    return this.#core.queue.leaseMs();
  }

  /** An endpoint has deliveries that are due. */
  poke(endpoint: EndpointRef): void {
    this.#endpoints.set(endpoint.id, endpoint);
  }

  /** After the commit. */
  send(): void {
    if (this.#handOffs.length + this.#endpoints.size === 0) return;
    const { queue, secrets } = this.#core;
    queue.add(
      this.#handOffs.map((handOff) => sealHandOff(secrets, handOff)),
      [...this.#endpoints.values()],
    );
  }
}

const aad = 'hand_off';

/** Encrypted: who can write to the queue must not be able to have bodies signed, nor who reads it to see them. */
function sealHandOff(secrets: Secrets, handOff: HandOff): string {
  return secrets.encrypt(JSON.stringify(handOff), aad);
}

/** Throws when it was not sealed with a configured SECRETS_KEY. */
export function openHandOff(secrets: Secrets, sealed: string): HandOff {
  return handOffSchema.parse(JSON.parse(secrets.decrypt(sealed, aad)));
}

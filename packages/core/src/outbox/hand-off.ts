import { z } from 'zod';
import type { Secrets } from '../access/secrets.ts';
import type { Queryable } from '../db/queryable.ts';
import type { Clock } from '../time/clock.ts';
import { type DeliveryQueue, type EndpointRef, releaseLeases } from './delivery-queue.ts';

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
const handOffsSchema = z.array(handOffSchema);
export type HandOff = z.output<typeof handOffSchema>;

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
  /** What it sends in place of the event's body; null in the full form. */
  thin_body: string | null;
}

interface NewEvent {
  id: string;
  type: string;
  body: string;
  traceparent?: string | undefined;
}

/**
 * Longer bodies are loaded when they are sent, so that what a process holds has a bound. Those of thin events, which have at
 * most `maxThinBytes` of data, are never.
 */
export const maxInlineBodyBytes = 16 * 1024;

interface HandOffDeps {
  readonly clock: Clock;
  /** Outside of the transaction that stores the deliveries. */
  readonly database: Queryable;
  readonly queue: DeliveryQueue;
  readonly secrets: Secrets;
}

/** Collects the work of a transaction for the workers; it is sent after the commit. */
export class HandOffs {
  readonly #deps: HandOffDeps;
  readonly #handOffs: HandOff[] = [];
  readonly #endpoints = new Map<string, EndpointRef>();

  constructor(deps: HandOffDeps) {
    this.#deps = deps;
  }

  add(deliveries: readonly NewDelivery[], events: readonly NewEvent[]): void {
    const leased = Map.groupBy(deliveries, ({ leased: is, event_id }) => (is ? event_id : undefined));
    for (const { endpoint_id: id, account_id: accountId } of leased.get(undefined) ?? []) this.poke({ id, accountId });
    for (const { id: eventId, type: eventType, body, traceparent } of events) {
      const own = Map.groupBy(leased.get(eventId) ?? [], ({ thin_body }) => thin_body);
      for (const [thinBody, [first, ...others]] of own) {
        if (first === undefined) continue;
        const sent = thinBody ?? body;
        const bodyBytes = Buffer.byteLength(sent);
        this.#handOffs.push({
          eventId,
          eventType,
          sequence: first.position,
          accountId: first.account_id,
          body: thinBody !== null || bodyBytes <= maxInlineBodyBytes ? sent : null,
          bodyBytes,
          traceparent,
          at: this.#deps.clock.now().getTime(),
          deliveries: [first, ...others].map(({ id, endpoint_id, version }) => ({
            id,
            endpointId: endpoint_id,
            endpointVersion: version,
          })),
        });
      }
    }
  }

  /** Of the deliveries that are to be added, in ms. */
  get leaseMs(): number {
    return this.#deps.queue.leaseMs();
  }

  /** An endpoint has deliveries that are due. */
  poke(endpoint: EndpointRef): void {
    this.#endpoints.set(endpoint.id, endpoint);
  }

  /** After the commit. */
  send(): void {
    if (this.#handOffs.length + this.#endpoints.size === 0) return;
    const { queue, secrets } = this.#deps;
    const sealed = this.#handOffs.length === 0 ? [] : [sealHandOffs(secrets, this.#handOffs)];
    queue.add(sealed, [...this.#endpoints.values()], () => void this.#release());
  }

  /** No worker will receive them: they are due, for whoever looks. What can't be released is free when its lease ends. */
  async #release(): Promise<void> {
    const leases = this.#handOffs.flatMap(({ accountId, eventId, deliveries }) =>
      deliveries.map(({ id }) => ({ deliveryId: id, accountId, leaseToken: eventId })),
    );
    await releaseLeases(this.#deps.database, leases).catch(() => undefined);
  }
}

const aad = 'hand_off';

/** Encrypted: who can write to the queue must not be able to have bodies signed, nor who reads it to see them. */
function sealHandOffs(secrets: Secrets, handOffs: readonly HandOff[]): string {
  return secrets.encrypt(JSON.stringify(handOffs), aad);
}

/** The hand-offs of one transaction or batch. Throws when they were not sealed with a configured SECRETS_KEY. */
export function openHandOffs(secrets: Secrets, sealed: string): HandOff[] {
  return handOffsSchema.parse(JSON.parse(secrets.decrypt(sealed, aad)));
}

import type { Queryable } from '../db/queryable.ts';
import type { Clock } from '../time/clock.ts';
import type { DeliveryQueue, EndpointRef, HandOff } from './delivery-queue.ts';
import { releaseLeases } from './leases.ts';

export interface NewDelivery {
  id: string;
  event_id: string;
  position: string;
  account_id: string;
  endpoint_id: string;
  /** Row version (xmin) of the endpoint. */
  version: string;
  leased: boolean;
  /** Replaces the event's body; null in the full form. */
  thin_body: string | null;
}

interface NewEvent {
  id: string;
  type: string;
  body: string;
  traceparent?: string | undefined;
}

/** Bounds the memory of queued bodies: workers load longer ones. Thin bodies are always shorter (`maxThinBytes`). */
export const maxInlineBodyBytes = 16 * 1024;

interface HandOffDeps {
  readonly clock: Clock;
  /** Not the transaction that stores the deliveries. */
  readonly database: Queryable;
  readonly queue: DeliveryQueue;
  /** Undefined for work of several accounts. */
  readonly accountId?: string;
}

/** Collects a transaction's work for the workers and sends it after the commit. */
export class HandOffs {
  readonly #deps: HandOffDeps;
  readonly #handOffs: HandOff[] = [];
  readonly #endpoints = new Map<string, EndpointRef>();
  #leasedAt = 0;

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
          at: this.#leasedAt,
          deliveries: [first, ...others].map(({ id, endpoint_id, version }) => ({
            id,
            endpointId: endpoint_id,
            endpointVersion: version,
          })),
        });
      }
    }
  }

  /** Returns the lease, in ms, for the deliveries that the next statement stores. A hand-off is as old as this call. */
  startLease(): number {
    this.#leasedAt = this.#deps.clock.now().getTime();
    return this.#deps.queue.leaseMs(this.#deps.accountId);
  }

  /** Wakes the workers for an endpoint with due deliveries. */
  poke(endpoint: EndpointRef): void {
    this.#endpoints.set(endpoint.id, endpoint);
  }

  send(): void {
    if (this.#handOffs.length + this.#endpoints.size === 0) return;
    this.#deps.queue.add(this.#handOffs, [...this.#endpoints.values()], () => void this.#release());
  }

  /** Makes lost deliveries due. If that fails, they are due when their leases end. */
  async #release(): Promise<void> {
    const leases = this.#handOffs.flatMap(({ accountId, eventId, deliveries }) =>
      deliveries.map(({ id }) => ({ deliveryId: id, accountId, leaseToken: eventId })),
    );
    await releaseLeases(this.#deps.database, leases).catch(() => undefined);
  }
}

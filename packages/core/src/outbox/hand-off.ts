import { z } from 'zod';
import type { Secrets } from '../access/secrets.ts';
import type { Queryable } from '../db/queryable.ts';
import type { Clock } from '../time/clock.ts';
import { type DeliveryQueue, type EndpointRef, releaseLeases } from './delivery-queue.ts';

/** An event with the deliveries leased to the worker that receives it. The lease token is the event's id. */
const handOffSchema = z.object({
  eventId: z.string(),
  eventType: z.string(),
  /** Position in the account's sequence. */
  sequence: z.string(),
  accountId: z.string(),
  /** The exact text to send. Null if it is large: the worker then loads it. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  traceparent: z.string().optional(),
  /** Time of storing, in ms since the epoch. */
  at: z.number(),
  deliveries: z.array(z.object({ id: z.string(), endpointId: z.string(), endpointVersion: z.string() })),
});
const handOffsSchema = z.array(handOffSchema);
export type HandOff = z.output<typeof handOffSchema>;

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
  readonly secrets: Secrets;
}

/** Collects a transaction's work for the workers and sends it after the commit. */
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

  get leaseMs(): number {
    return this.#deps.queue.leaseMs();
  }

  /** Wakes the workers for an endpoint with due deliveries. */
  poke(endpoint: EndpointRef): void {
    this.#endpoints.set(endpoint.id, endpoint);
  }

  send(): void {
    if (this.#handOffs.length + this.#endpoints.size === 0) return;
    const { queue, secrets } = this.#deps;
    const sealed = this.#handOffs.length === 0 ? [] : [sealHandOffs(secrets, this.#handOffs)];
    queue.add(sealed, [...this.#endpoints.values()], () => void this.#release());
  }

  /** Makes lost deliveries due. If that fails, they are due when their leases end. */
  async #release(): Promise<void> {
    const leases = this.#handOffs.flatMap(({ accountId, eventId, deliveries }) =>
      deliveries.map(({ id }) => ({ deliveryId: id, accountId, leaseToken: eventId })),
    );
    await releaseLeases(this.#deps.database, leases).catch(() => undefined);
  }
}

const aad = 'hand_off';

/** Encrypted, so that access to the queue allows neither reading bodies nor having forged ones signed. */
function sealHandOffs(secrets: Secrets, handOffs: readonly HandOff[]): string {
  return secrets.encrypt(JSON.stringify(handOffs), aad);
}

/** @throws if no configured SECRETS_KEY decrypts it */
export function openHandOffs(secrets: Secrets, sealed: string): HandOff[] {
  return handOffsSchema.parse(JSON.parse(secrets.decrypt(sealed, aad)));
}

import type { JobPayload } from '@finhook/contracts';
import {
  type ClaimedDelivery,
  type Core,
  type EndpointRef,
  type HandOff,
  isDatabaseUnavailable,
  newDeliveryLeaseMs,
  openHandOffs,
  toClaims,
} from '@finhook/core';
import { isProxyError, type RetryTiming, type Transport } from '@finhook/delivery';
import type { QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import type { Telemetry } from '../telemetry/create-telemetry.ts';
import type { Timing } from '../timing.ts';
import type { EndpointDeps } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { createLeases } from './leases.ts';
import { createFairSlots } from './slots.ts';
import { createStore } from './store.ts';

export interface DeliveriesOptions {
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'wakeLater'>;
  readonly transport: Pick<Transport, 'send'>;
  readonly telemetry: Pick<Telemetry, 'watch' | 'onRecorded'>;
  readonly logger: Logger;
  readonly retries: Required<Pick<RetryTiming, 'scale' | 'random'>>;
  readonly timeoutMs: number;
  readonly slots: number;
  readonly timing: Timing;
}

/** Memory for large bodies in flight, without the strings that they are made of. */
const largeBodiesBytes = 32 * 1024 * 1024;
/** A probe without a result counts as in flight for its timeout and this. */
const probeMarginMs = 10_000;

export class Deliveries {
  readonly #core: Core;
  readonly #logger: Logger;
  readonly #handOffMs: number;
  readonly #deps: EndpointDeps;
  readonly #endpoints: Endpoints;
  #isClosing = false;

  constructor(options: DeliveriesOptions) {
    const { core, producer, telemetry, timing, timeoutMs, retries } = options;
    const onError = createErrorLog(options.logger);
    const { leaseMs, gatherMs, extendMs: everyMs } = timing;
    const slots = createFairSlots(options.slots);
    // A hanging connection is replaced before the leases end.
    const leaseCore = { ...core, database: core.database.within(leaseMs / 3) };
    this.#core = core;
    this.#logger = options.logger;
    this.#handOffMs = timing.handOffMs;
    this.#deps = {
      store: createStore({
        core,
        leaseMs,
        gatherMs,
        probeMs: timeoutMs + probeMarginMs,
        probeScale: retries.scale,
        onRecorded: telemetry.onRecorded,
      }),
      leases: createLeases({
        core: leaseCore,
        slots,
        leaseMs,
        everyMs,
        onVersion: ({ endpointId: id, accountId }, version) => this.#endpoints.of({ id, accountId }).sees(version),
        onError,
      }),
      slots,
      bodies: createFairSlots(largeBodiesBytes),
      producer,
      transport: options.transport,
      watch: telemetry.watch,
      clock: core.clock,
      retries,
      leaseMs,
      noticeMs: timing.noticeMs,
      onBusy: (endpoint, isBusy) => this.#endpoints.setBusy(endpoint, isBusy),
      onError,
    };
    this.#endpoints = new Endpoints(this.#deps);
  }

  /** A job of another process, with encrypted hand-offs. */
  receive({ hand_offs, endpoints }: JobPayload<'deliver'>): void {
    for (const sealed of hand_offs) {
      try {
        this.take(openHandOffs(this.#core.secrets, sealed));
      } catch (err) {
        this.#logger.error({ err }, 'a hand-off could not be decrypted: its deliveries wait until their leases end');
      }
    }
    this.poke(endpoints.map(({ id, account_id: accountId }) => ({ id, accountId })));
  }

  hasRoom(accountId: string | undefined): boolean {
    return !this.#isClosing && this.#deps.slots.hasRoom(accountId);
  }

  /** Sends new deliveries that were leased when they were stored. */
  take(handOffs: readonly HandOff[]): void {
    for (const handOff of handOffs) {
      try {
        this.#takeOne(handOff);
      } catch (err) {
        this.#logger.error({ err }, 'a hand-off failed: its deliveries wait until their leases end');
      }
    }
  }

  #takeOne(handOff: HandOff): void {
    const { accountId, at } = handOff;
    const claims = toClaims(handOff).filter((claim) => !this.#deps.leases.has(claim));
    // After a clock was set back, an old hand-off seems new; the next extension detects that its lease has ended.
    const age = Math.max(0, this.#core.clock.now().getTime() - at);
    if (this.#isClosing || age > this.#handOffMs) return this.#release(accountId, claims);
    const until = performance.now() + newDeliveryLeaseMs - age;
    for (const claim of claims) this.#endpoints.of({ id: claim.endpointId, accountId }).take(claim, until);
  }

  #release(accountId: string, claims: readonly ClaimedDelivery[]): void {
    const released = () => this.poke(claims.map(({ endpointId: id }) => ({ id, accountId })));
    this.#deps.store.release(claims).then(released, (error: unknown) => this.#deps.onError(error));
  }

  poke(refs: readonly EndpointRef[]): void {
    if (!this.#isClosing) for (const ref of refs) this.#endpoints.of(ref).notify('poked');
  }

  /** Due deliveries that no worker holds: a request of another worker may have ended, so a full endpoint claims too. */
  foundDue(refs: readonly EndpointRef[]): void {
    if (!this.#isClosing) for (const ref of refs) this.#endpoints.of(ref).notify('foundDue');
  }

  get isIdle(): boolean {
    return this.#endpoints.isIdle;
  }

  /** Begins no more requests, releases unsent deliveries, and resolves when the attempts in flight are recorded. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#endpoints.close();
    await this.#deps.leases.close();
  }
}

const proxyEveryMs = 60_000;

/** Logs at debug if the database is unavailable, and errors of the outgoing proxy at most once a minute. */
function createErrorLog(logger: Logger): (error: unknown, endpointId?: string) => void {
  let proxyLoggedAt = Number.NEGATIVE_INFINITY;
  return (err, endpoint_id) => {
    if (isDatabaseUnavailable(err)) {
      logger.debug({ err, endpoint_id }, 'the database is unavailable: deliveries wait');
    } else if (!isProxyError(err)) {
      logger.error({ err, endpoint_id }, 'deliveries of an endpoint failed and are retried');
    } else if (performance.now() - proxyLoggedAt >= proxyEveryMs) {
      proxyLoggedAt = performance.now();
      logger.error({ err }, 'the outgoing proxy fails: deliveries wait');
    }
  };
}

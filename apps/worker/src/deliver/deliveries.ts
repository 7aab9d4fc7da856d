import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimedDelivery,
  type Core,
  type EndpointRef,
  findDueEndpoints,
  type HandOff,
  hasHeldDeliveries,
  isDatabaseUnavailable,
  newDeliveryLeaseMs,
  openHandOff,
  toClaims,
} from '@finhook/core';
import { isProxyError, type RetryTiming, type Transport } from '@finhook/delivery';
import type { QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import type { Telemetry } from '../telemetry/create-telemetry.ts';
import type { Timing } from '../timing.ts';
import { createClaims } from './claims.ts';
import { Endpoint, type EndpointDeps } from './endpoint.ts';
import { createHealthStore } from './health.ts';
import { createLeases } from './leases.ts';
import { createRecords } from './records.ts';
import { createSlots } from './slots.ts';
import { createTargets } from './targets.ts';
import { createWakeUps } from './wake-ups.ts';

/** The deliveries of this process: an actor per endpoint, and what they share. */
export interface Deliveries {
  /** Sends new deliveries, which the api leased and sealed. */
  take(handOffs: readonly string[]): void;
  /** Looks at endpoints with deliveries that may be due. */
  poke(endpoints: readonly EndpointRef[]): void;
  /** Sends what is due now; resolves when nothing is due and nothing is in flight here. For tests. */
  drain(): Promise<void>;
  isIdle(): boolean;
  /** Begins no more requests, gives back what has not begun, and resolves when the rest is recorded. */
  close(): Promise<void>;
}

export interface DeliveriesOptions {
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'wakeLater'>;
  readonly transport: Pick<Transport, 'send'>;
  readonly telemetry: Pick<Telemetry, 'watch' | 'traced' | 'onRecorded'>;
  readonly logger: Logger;
  readonly retries: Required<Pick<RetryTiming, 'scale' | 'random'>>;
  /** The deadline of a request, unless its endpoint has another. */
  readonly timeoutMs: number;
  /** Deliveries that are held at once; one account may have half. */
  readonly slots: number;
  readonly timing: Timing;
}

/** Large bodies that are being sent at the same time; the strings that they are made of come on top. */
const largeBodiesBytes = 32 * 1024 * 1024;
/** Idle endpoints that are remembered, with their windows and targets. */
const maxEndpoints = 20_000;
/** The poll interval of `drain` for hand-offs that are still in the queue. */
const drainMs = 10;
/** Beyond a request's timeout, for a probe that came to no end. */
const probeMarginMs = 10_000;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { core, producer, telemetry, timing, timeoutMs, retries } = options;
  const endpoints = new Map<string, Endpoint>();
  const busy = new Set<Endpoint>();
  let isClosing = false;
  let onIdle: (() => void) | undefined;

  const onError = createErrorLog(options.logger);
  const monotonicNow = () => performance.now();
  const { leaseMs, gatherMs, extendMs: everyMs } = timing;
  const leases = createLeases({ core, leaseMs, everyMs, monotonicNow, onError });
  const wakeUps = createWakeUps(producer, (endpoint) => endpointOf(endpoint).wake());
  const claims = createClaims({ core, leaseMs, probeMs: timeoutMs + probeMarginMs, traced: telemetry.traced });
  const deps: EndpointDeps = {
    claims,
    records: createRecords({ core, gatherMs, onRecorded: telemetry.onRecorded }),
    leases,
    targets: createTargets(core),
    health: createHealthStore(core, retries.scale),
    slots: createSlots(options.slots),
    bodies: createSlots(largeBodiesBytes),
    wakeUps,
    transport: options.transport,
    watch: telemetry.watch,
    clock: core.clock,
    monotonicNow,
    retries,
    leaseMs,
    onBusy: (endpoint, isBusy) => {
      if (isBusy) busy.add(endpoint);
      else if (busy.delete(endpoint) && busy.size === 0) onIdle?.();
    },
    onError,
  };

  const endpointOf = (ref: EndpointRef): Endpoint => {
    const endpoint = endpoints.get(ref.id) ?? new Endpoint(deps, ref);
    endpoints.delete(ref.id);
    endpoints.set(ref.id, endpoint);
    if (endpoints.size > maxEndpoints) forgetOldest();
    return endpoint;
  };
  const forgetOldest = (): void => {
    for (const [id, endpoint] of endpoints) {
      if (busy.has(endpoint)) continue;
      endpoints.delete(id);
      return;
    }
  };
  const giveBack = (accountId: string, given: readonly ClaimedDelivery[]): void => {
    const ended = () => poke(given.map(({ endpointId: id }) => ({ id, accountId })));
    claims.release(given).then(ended, onError);
  };
  const takeOne = (handOff: HandOff): void => {
    const { accountId, at } = handOff;
    const given = toClaims(handOff);
    // A clock that was set back makes it seem new; the next extension of its lease tells.
    const age = Math.max(0, core.clock.now().getTime() - at);
    if (isClosing || age > timing.handOffMs) return giveBack(accountId, given);
    const until = monotonicNow() + newDeliveryLeaseMs - age;
    for (const claim of given) endpointOf({ id: claim.endpointId, accountId }).take(claim, until);
  };
  const poke = (refs: readonly EndpointRef[]): void => {
    if (!isClosing) for (const ref of refs) endpointOf(ref).poke();
  };
  const idle = async (): Promise<void> => {
    while (busy.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
  };

  return {
    take: (handOffs) => {
      for (const sealed of handOffs) {
        try {
          takeOne(openHandOff(core.secrets, sealed));
        } catch (err) {
          options.logger.error(
            { err },
            'a hand-off could not be opened: its deliveries wait for the end of their leases',
          );
        }
      }
    },
    poke,
    drain: async () => {
      for (;;) {
        await idle();
        const due = await findDueEndpoints(core, 0);
        poke(due);
        if (due.length > 0 || busy.size > 0) continue;
        if (!(await hasHeldDeliveries(core))) return;
        await sleep(drainMs);
      }
    },
    isIdle: () => busy.size === 0,
    close: async () => {
      isClosing = true;
      wakeUps.close();
      for (const endpoint of endpoints.values()) endpoint.close();
      await idle();
      await leases.close();
    },
  };
}

const proxyEveryMs = 60_000;

/**
 * Logs what made an endpoint end early: quietly when the database is away, because the reconciler looks again, and a
 * failure of the outgoing proxy at most once a minute, because each due delivery meets it.
 */
function createErrorLog(logger: Logger): (error: unknown, endpointId?: string) => void {
  let proxyLoggedAt = Number.NEGATIVE_INFINITY;
  return (err, endpoint_id) => {
    if (isDatabaseUnavailable(err)) {
      logger.debug({ err, endpoint_id }, 'the database is unavailable: deliveries wait');
    } else if (!isProxyError(err)) {
      logger.error({ err, endpoint_id }, 'deliveries of an endpoint failed and are tried again');
    } else if (performance.now() - proxyLoggedAt >= proxyEveryMs) {
      proxyLoggedAt = performance.now();
      logger.error({ err }, 'nothing gets through the outgoing proxy: deliveries wait');
    }
  };
}

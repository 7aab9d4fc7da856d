import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptRecord,
  applyHealth,
  type ClaimedDelivery,
  type ClaimRequest,
  type Core,
  claimDeliveries,
  claimGated,
  createMicroBatch,
  type EndpointRef,
  type EventRef,
  type HealthReport,
  isDatabaseUnavailable,
  loadBody,
  loadTargets,
  type NextDueRequest,
  readNextDueInMs,
  recordAttempts,
  recordSuccesses,
  releaseClaims,
  type Success,
  type Target,
} from '@finhook/core';

export interface StoreOptions {
  readonly core: Core;
  readonly leaseMs: number;
  readonly gatherMs: number;
  /** A probe without a result counts as in flight for this long. */
  readonly probeMs: number;
  /** Multiplies the waits between probes. */
  readonly probeScale: number;
  readonly onRecorded?: ((record: AttemptRecord) => void) | undefined;
}

const recordEveryMs = 200;
/** A record is retried for this long while the database is unavailable. Attempts that are not recorded are sent again. */
const recordMs = 10_000;

export type Store = ReturnType<typeof createStore>;

/** What the deliveries of this worker read and write. Calls of many endpoints share a statement. */
export function createStore({ core, leaseMs, gatherMs, probeMs, probeScale, onRecorded }: StoreOptions) {
  const run = (attempts: readonly AttemptRecord[]) => recordBatch(core, attempts, onRecorded);
  const records = { run, maxWeight: 500, inFlight: 2 };
  return {
    /** Undefined for an endpoint that is paused, disabled or deleted. */
    loadTarget: createMicroBatch({
      run: (endpoints: readonly EndpointRef[]) => loadBatch(core, endpoints),
      maxWeight: 500,
      inFlight: 1,
    }),
    claim: createMicroBatch({
      run: (requests: readonly ClaimRequest[]) => claimDeliveries(core, requests, leaseMs),
      maxWeight: 1_000,
      weigh: ({ limit }) => limit,
      inFlight: 2,
    }),
    /** For an endpoint with a limit of rate, concurrency or order, or an open circuit breaker. */
    claimGated: createMicroBatch({
      run: (requests: readonly ClaimRequest[]) => claimGated(core, requests, { leaseMs, probeMs }),
      maxWeight: 50,
      inFlight: 2,
    }),
    release: createMicroBatch({
      run: async (claims: readonly (readonly ClaimedDelivery[])[]) => {
        await releaseClaims(core, claims.flat());
        return claims.map(() => undefined);
      },
      maxWeight: 1_000,
      weigh: ({ length }) => length,
      inFlight: 1,
    }),
    /** Milliseconds until a claim may find a delivery; null without one, or if a request must end first. */
    nextDueInMs: createMicroBatch({
      run: (endpoints: readonly NextDueRequest[]) => readNextDueInMs(core, endpoints, probeMs),
      maxWeight: 100,
      inFlight: 1,
    }),
    /** Reads a body that is too large to be part of the claim. */
    loadBody: createMicroBatch({
      run: (events: readonly EventRef[]) => Promise.all(events.map((event) => loadBody(core, event))),
      maxWeight: 1,
      inFlight: 2,
    }),
    /** Waits up to `gatherMs` for others of its batch. Resolves to false if the lease was lost. */
    record: createMicroBatch({ ...records, gatherMs }),
    /** Without that wait: the endpoint sends nothing before this record. */
    recordAtOnce: createMicroBatch(records),
    applyHealth: (report: HealthReport) => applyHealth(core, { ...report, probeScale }),
    /** Updates last_success_at of a healthy endpoint. */
    noteSuccess: createMicroBatch({
      run: async (successes: readonly Success[]) => {
        await recordSuccesses(core, successes);
        return successes.map(() => undefined);
      },
      maxWeight: 500,
      inFlight: 1,
    }),
  };
}

async function loadBatch(core: Core, endpoints: readonly EndpointRef[]): Promise<(Target | undefined)[]> {
  const targets = new Map((await loadTargets(core, endpoints)).map((target) => [target.endpointId, target]));
  return endpoints.map(({ id }) => targets.get(id));
}

async function recordBatch(
  core: Core,
  attempts: readonly AttemptRecord[],
  onRecorded: StoreOptions['onRecorded'],
): Promise<boolean[]> {
  for (let left = recordMs / recordEveryMs; ; left--) {
    try {
      const held = await recordAttempts(core, attempts);
      if (onRecorded) attempts.filter(({ claim }) => held.has(claim.deliveryId)).forEach(onRecorded);
      return attempts.map(({ claim }) => held.has(claim.deliveryId));
    } catch (error) {
      if (left <= 0 || !isDatabaseUnavailable(error)) throw error;
      await delay(recordEveryMs);
    }
  }
}

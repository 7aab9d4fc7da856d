import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptRecord,
  type BodyRequest,
  type ClaimedDelivery,
  type ClaimRequest,
  type Core,
  claimDeliveries,
  claimGated,
  createMicroBatch,
  type DueOutlook,
  type GatedClaims,
  isDatabaseUnavailable,
  loadBody,
  loadTargets,
  readDueOutlook,
  readGatedOutlook,
  readTraceparents,
  recordAttempts,
  recordSuccesses,
  releaseClaims,
  type Target,
} from '@finhook/core';
import type { Telemetry } from './telemetry/create-telemetry.ts';

/** The database as the slices of all endpoints see it: single calls here, few statements there. */
export interface DeliveryStore {
  /** The endpoint, if it may be delivered to now. */
  loadTarget(endpointId: string): Promise<Target | undefined>;
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /** The same for an endpoint whose sends are bounded. */
  claimGated(request: ClaimRequest): Promise<GatedClaims>;
  /** The body of a claim that has none: they are large, and few are loaded at once. */
  loadBody(request: BodyRequest): Promise<Buffer>;
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Together with what else ends within `recordTogetherMs`. Tries for `recordRetryMs` when the database is away. Resolves
   * to whether the claim still held.
   */
  record(attempt: AttemptRecord): Promise<boolean>;
  /** The same without the wait, where something cannot go on before it. */
  recordAtOnce(attempt: AttemptRecord): Promise<boolean>;
  noteSuccess(endpointId: string, at: Date): Promise<void>;
  outlook(endpointId: string): Promise<DueOutlook>;
  /** Milliseconds until something may be claimed for an endpoint whose sends are bounded, if that is known. */
  gatedOutlook(endpointId: string): Promise<number | null>;
}

export interface DeliveryStoreOptions {
  readonly core: Core;
  readonly leaseMs: number;
  /** Milliseconds to retry recording attempts while the database is unavailable. Unrecorded ones are sent again. */
  readonly recordRetryMs: number;
  readonly telemetry?: Pick<Telemetry, 'onRecorded' | 'traced'>;
}

const retryEveryMs = 200;
/** A record of many attempts costs hardly more than a record of one. */
const recordTogetherMs = 10;

export function createDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  const { core, leaseMs, telemetry } = options;
  const record = createRecord(options);
  const load = async (ids: readonly string[]): Promise<(Target | undefined)[]> => {
    const targets = new Map((await loadTargets(core, ids)).map((target) => [target.endpointId, target]));
    return ids.map((id) => targets.get(id));
  };
  const claim = async (requests: readonly ClaimRequest[]) => {
    const claims = await claimDeliveries(core, requests, leaseMs);
    return shareOut(requests, telemetry?.traced ? await withTraceparents(core, claims) : claims);
  };
  const claimBounded = async (requests: readonly ClaimRequest[]): Promise<GatedClaims[]> => {
    const found = await claimOncePerEndpoint(core, requests, leaseMs);
    if (!telemetry?.traced) return found;
    return Promise.all(
      found.map(async ({ claims, full }) => ({ claims: [...(await withTraceparents(core, claims))], full })),
    );
  };
  const release = async (claims: readonly (readonly ClaimedDelivery[])[]): Promise<undefined[]> => {
    await releaseClaims(core, claims.flat());
    return claims.map(() => undefined);
  };
  const note = async (successes: readonly { endpointId: string; at: Date }[]): Promise<undefined[]> => {
    await recordSuccesses(core, successes);
    return successes.map(() => undefined);
  };

  const claimBatch = createMicroBatch({ run: claim, maxWeight: 1_000, weigh: ({ limit }) => limit, inFlight: 2 });
  const releaseBatch = createMicroBatch({ run: release, maxWeight: 1_000, weigh: ({ length }) => length, inFlight: 1 });
  const noteBatch = createMicroBatch({ run: note, maxWeight: 500, inFlight: 1 });
  const records = { run: record, maxWeight: 500, inFlight: 2 };
  return {
    loadTarget: createMicroBatch({ run: load, maxWeight: 500, inFlight: 1 }),
    claim: claimBatch,
    claimGated: createMicroBatch({ run: claimBounded, maxWeight: 50, inFlight: 2 }),
    loadBody: createMicroBatch({ run: (events) => loadEach(core, events), maxWeight: 1, inFlight: 2 }),
    release: (claims) => (claims.length === 0 ? Promise.resolve() : releaseBatch(claims)),
    record: createMicroBatch({ ...records, gatherMs: recordTogetherMs }),
    recordAtOnce: createMicroBatch(records),
    noteSuccess: (endpointId, at) => noteBatch({ endpointId, at }),
    outlook: createMicroBatch({ run: (ids) => readDueOutlook(core, ids), maxWeight: 500, inFlight: 1 }),
    gatedOutlook: createMicroBatch({
      run: (ids) => readGatedOutlook(core, ids, leaseMs),
      maxWeight: 100,
      inFlight: 1,
    }),
  };
}

/** Records a batch of attempts, and reports those whose lease this worker still held to the telemetry. */
function createRecord({ core, recordRetryMs, telemetry }: DeliveryStoreOptions) {
  return async (attempts: readonly AttemptRecord[]): Promise<boolean[]> => {
    for (let left = Math.ceil(recordRetryMs / retryEveryMs); ; left--) {
      try {
        const held = await recordAttempts(core, attempts);
        if (telemetry?.onRecorded)
          attempts.filter(({ claim }) => held.has(claim.deliveryId)).forEach(telemetry.onRecorded);
        return attempts.map(({ claim }) => held.has(claim.deliveryId));
      } catch (error) {
        if (left <= 0 || !isDatabaseUnavailable(error)) throw error;
        await delay(retryEveryMs);
      }
    }
  };
}

/** Adds the traces that the attempts go on with. Without them they are made all the same. */
async function withTraceparents(core: Core, claims: readonly ClaimedDelivery[]): Promise<readonly ClaimedDelivery[]> {
  const ids = claims.map(({ eventId }) => eventId);
  const traces = await readTraceparents(core, ids).catch(() => new Map<string, string>());
  return claims.map((claim) => ({ ...claim, traceparent: traces.get(claim.eventId) }));
}

async function loadEach(core: Core, events: readonly BodyRequest[]): Promise<Buffer[]> {
  return Promise.all(events.map((event) => loadBody(core, event)));
}

async function claimOncePerEndpoint(
  core: Core,
  requests: readonly ClaimRequest[],
  leaseMs: number,
): Promise<GatedClaims[]> {
  const first = new Map(requests.toReversed().map((request) => [request.endpointId, request]));
  const unique = [...first.values()];
  const found = await claimGated(core, unique, leaseMs);
  const results = new Map(unique.map((request, index) => [request, found[index]]));
  return requests.map((request) => results.get(request) ?? { claims: [], full: false });
}

/** Gives each request its rows; two requests for one endpoint share what was found for both. */
function shareOut(requests: readonly ClaimRequest[], claims: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const byEndpoint = new Map<string, ClaimedDelivery[]>();
  for (const claim of claims) {
    const found = byEndpoint.get(claim.endpointId);
    if (found === undefined) byEndpoint.set(claim.endpointId, [claim]);
    else found.push(claim);
  }
  return requests.map(({ endpointId, limit }) => byEndpoint.get(endpointId)?.splice(0, limit) ?? []);
}

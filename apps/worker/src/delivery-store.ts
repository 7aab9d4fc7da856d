import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimRequest,
  type Core,
  claimDeliveries,
  createMicroBatch,
  type DueOutlook,
  isDatabaseUnavailable,
  loadTargets,
  readDueOutlook,
  recordAttempts,
  recordSuccesses,
  releaseClaims,
  type Target,
} from '@finhook/core';

/** The database as the slices of all endpoints see it: single calls here, few statements there. */
export interface DeliveryStore {
  /** The endpoint, if it may be delivered to now. */
  loadTarget(endpointId: string): Promise<Target | undefined>;
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /** Tries for `recordRetryMs` when the database is away. Resolves to whether the claim still held. */
  record(attempt: AttemptRecord): Promise<boolean>;
  noteSuccess(endpointId: string, at: Date): Promise<void>;
  outlook(endpointId: string): Promise<DueOutlook>;
}

export interface DeliveryStoreOptions {
  readonly core: Core;
  readonly leaseMs: number;
  /** How long to try to record what was sent while the database is away, in ms: it would be sent again otherwise. */
  readonly recordRetryMs: number;
}

const retryEveryMs = 200;

export function createDeliveryStore({ core, leaseMs, recordRetryMs }: DeliveryStoreOptions): DeliveryStore {
  const record = async (attempts: readonly AttemptRecord[]): Promise<boolean[]> => {
    for (let left = Math.ceil(recordRetryMs / retryEveryMs); ; left--) {
      try {
        const held = await recordAttempts(core, attempts);
        return attempts.map(({ claim }) => held.has(claim.deliveryId));
      } catch (error) {
        if (left <= 0 || !isDatabaseUnavailable(error)) throw error;
        await delay(retryEveryMs);
      }
    }
  };
  const load = async (ids: readonly string[]): Promise<(Target | undefined)[]> => {
    const targets = new Map((await loadTargets(core, ids)).map((target) => [target.endpointId, target]));
    return ids.map((id) => targets.get(id));
  };
  const claim = async (requests: readonly ClaimRequest[]) =>
    shareOut(requests, await claimDeliveries(core, requests, leaseMs));
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
  return {
    loadTarget: createMicroBatch({ run: load, maxWeight: 500, inFlight: 1 }),
    claim: claimBatch,
    release: (claims) => (claims.length === 0 ? Promise.resolve() : releaseBatch(claims)),
    record: createMicroBatch({ run: record, maxWeight: 500, inFlight: 2 }),
    noteSuccess: (endpointId, at) => noteBatch({ endpointId, at }),
    outlook: createMicroBatch({ run: (ids) => readDueOutlook(core, ids), maxWeight: 500, inFlight: 1 }),
  };
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

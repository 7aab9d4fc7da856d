import {
  type ClaimedDelivery,
  type ClaimRequest,
  type Core,
  claimDeliveries,
  claimGated,
  createMicroBatch,
  type EndpointClaims,
  type EndpointRef,
  type EventRef,
  loadBody,
  readDueOutlook,
  readGatedOutlook,
  releaseClaims,
} from '@finhook/core';

/** Claims of all endpoints of this worker. Calls are batched into few statements. */
export interface Claims {
  claim(request: ClaimRequest): Promise<EndpointClaims>;
  /** For an endpoint with a limit of rate, concurrency or order, or an open circuit breaker. */
  claimGated(request: ClaimRequest): Promise<EndpointClaims>;
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /** Reads a body that is too large to be part of the claim. */
  loadBody(request: EventRef): Promise<Buffer>;
  /** Milliseconds until the endpoint's next delivery is due and not leased; null without one. */
  nextInMs(endpoint: EndpointRef): Promise<number | null>;
  /** Milliseconds until a gated claim may find a delivery; null if unknown. */
  nextGatedInMs(endpoint: EndpointRef): Promise<number | null>;
}

export interface ClaimsOptions {
  readonly core: Core;
  readonly leaseMs: number;
  /** A probe without a result counts as in flight for this long. */
  readonly probeMs: number;
}

export function createClaims({ core, leaseMs, probeMs }: ClaimsOptions): Claims {
  return {
    claim: createMicroBatch({
      run: (requests) => claimDeliveries(core, requests, leaseMs),
      maxWeight: 1_000,
      weigh: ({ limit }) => limit,
      inFlight: 2,
    }),
    claimGated: createMicroBatch({
      run: (requests) => claimGated(core, requests, { leaseMs, probeMs }),
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
    loadBody: createMicroBatch({
      run: (events) => Promise.all(events.map((event) => loadBody(core, event))),
      maxWeight: 1,
      inFlight: 2,
    }),
    nextInMs: createMicroBatch({ run: (endpoints) => readDueOutlook(core, endpoints), maxWeight: 500, inFlight: 1 }),
    nextGatedInMs: createMicroBatch({
      run: (endpoints) => readGatedOutlook(core, endpoints, probeMs),
      maxWeight: 100,
      inFlight: 1,
    }),
  };
}

import {
  type ClaimedDelivery,
  type ClaimRequest,
  type Core,
  claimDeliveries,
  claimGated,
  createMicroBatch,
  type EndpointClaims,
  type EventRef,
  loadBody,
  type NextDueRequest,
  readNextDueInMs,
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
  /** Milliseconds until a claim may find a delivery; null without one, or if a request must end first. */
  nextInMs(endpoint: NextDueRequest): Promise<number | null>;
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
    nextInMs: createMicroBatch({
      run: (endpoints) => readNextDueInMs(core, endpoints, probeMs),
      maxWeight: 100,
      inFlight: 1,
    }),
  };
}

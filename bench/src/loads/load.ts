import type { PeerName } from '../peers/peers.ts';

/** The task of a load process. */
export type Load = ApiLoad | BacklogLoad | StoredBatchesLoad | ReadsLoad | ClaimsLoad;

/** The pacing of requests to the api. */
type Pace =
  /** Each connection sends its next request after the response to the last one. */
  | { readonly kind: 'closed'; readonly connections: number; readonly keepAccepted?: boolean }
  /** Requests start at this rate, independent of earlier ones. */
  | { readonly kind: 'open'; readonly perSecond: number };

export interface ApiTarget {
  readonly url: string;
  readonly apiKey: string;
  /** For the name of a peer, balances are posted as events of its tenant. */
  readonly protocol: 'rest' | 'trpc' | PeerName;
}

export interface ApiLoad {
  readonly kind: 'api';
  readonly target: ApiTarget;
  readonly traffic: Traffic;
  readonly pace: Pace;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Omits data of single requests: the channel between processes can't carry half a million. */
  readonly countOnly?: boolean;
}

export interface Traffic {
  /**
   * Single balance posts; batches of 500 transactions that are all new or all known; reads of the company list; or
   * small gzip bodies of half a million numbers, which the api rejects.
   */
  readonly what: 'balances' | 'new-batches' | 'known-batches' | 'company-lists' | 'floods';
  /** Of a peer: its tenant. */
  readonly companyIds: readonly string[];
  /** Separates the keys of several loads on one database. */
  readonly series: number;
}

/**
 * B12: clients that all start together, and others that start one by one. Each sends one balance post with an
 * Idempotency-Key over its own connection, and repeats it by Retry-After until it is accepted.
 */
export interface BacklogLoad {
  readonly kind: 'backlog';
  readonly target: ApiTarget;
  readonly companyIds: readonly string[];
  /** Separates the keys of several loads on one database. */
  readonly series: number;
  /** Clients that start together, this long after their connections are open. */
  readonly waiting: number;
  readonly delayMs: number;
  /** Clients that start in each following second. */
  readonly perSecond: number;
  readonly durationMs: number;
}

/** B3 without HTTP: the verb that stores batches, with as many callers as the api has connections. */
export interface StoredBatchesLoad {
  readonly kind: 'stored-batches';
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly accountId: string;
  readonly traffic: Traffic;
  readonly poolSize: number;
  readonly callers: number;
  readonly warmupMs: number;
  readonly durationMs: number;
}

/** B5: requests of given paths, one after the other. */
export interface ReadsLoad {
  readonly kind: 'reads';
  readonly url: string;
  readonly apiKey: string;
  readonly paths: readonly string[];
}

/** B5: claims of due deliveries, one after the other, over the endpoints in turn. */
export interface ClaimsLoad {
  readonly kind: 'claims';
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly accountId: string;
  readonly endpointIds: readonly string[];
  readonly claims: number;
  readonly rowsPerClaim: number;
}

export type AcceptedRequest = readonly [eventId: string, dueAt: number, respondedAt: number];

export interface LoadResult {
  /** Requests or statements that succeeded within the measured time. */
  readonly count: number;
  /** Those of a closed loop that ended later, too. */
  readonly all?: number;
  readonly seconds: number;
  /** From the due time of a request to its response, in ms. */
  readonly latencies: readonly number[];
  /** Event, due time and response time of each request (wall clock, ms). */
  readonly accepted: readonly AcceptedRequest[];
  /** Responses with the status 429, if a load continues after them. */
  readonly rejected?: number;
}

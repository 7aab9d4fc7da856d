/** What a load process is to do. */
export type Load = ApiLoad | BacklogLoad | StoredBatchesLoad | ReadsLoad | ClaimsLoad;

/** How requests to the api are paced. */
type Pace =
  /** Each connection sends its next request after the response to the last one. */
  | { readonly kind: 'closed'; readonly connections: number; readonly keepAccepted?: boolean }
  /** Requests begin at this rate whatever becomes of the earlier ones. */
  | { readonly kind: 'open'; readonly perSecond: number };

export interface ApiTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly protocol: 'rest' | 'trpc';
}

export interface ApiLoad {
  readonly kind: 'api';
  readonly target: ApiTarget;
  readonly traffic: Traffic;
  readonly pace: Pace;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Leaves out what is known of each request: the channel between processes does not carry half a million. */
  readonly countOnly?: boolean;
}

export interface Traffic {
  /**
   * Single balance posts, batches of 500 transactions that are all new or all known, reads of the company list, or small
   * gzip bodies of half a million numbers, which the api rejects.
   */
  readonly what: 'balances' | 'new-batches' | 'known-batches' | 'company-lists' | 'floods';
  readonly companyIds: readonly string[];
  /** Keeps the keys of several loads on one database apart. */
  readonly series: number;
}

/**
 * B12: clients that all begin at once, and others that begin one after the other. Each has a connection and sends one
 * balance post with an Idempotency-Key, again and again as Retry-After says, until it is accepted.
 */
export interface BacklogLoad {
  readonly kind: 'backlog';
  readonly target: ApiTarget;
  readonly companyIds: readonly string[];
  /** Keeps the keys of several loads on one database apart. */
  readonly series: number;
  /** Clients that begin at once, so long after their connections are open. */
  readonly waiting: number;
  readonly delayMs: number;
  /** Clients that begin in each second after that. */
  readonly perSecond: number;
  readonly durationMs: number;
}

/** B3 without its HTTP: the verb that stores batches, by as many callers as the api has connections. */
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

/** B5: requests for given paths, one after the other. */
export interface ReadsLoad {
  readonly kind: 'reads';
  readonly url: string;
  readonly apiKey: string;
  readonly paths: readonly string[];
}

/** B5: claims of due deliveries, one after the other, each for the next endpoint. */
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
  /** Requests or statements that ended well within the measured time. */
  readonly count: number;
  readonly seconds: number;
  /** From when a request was due to its response, in ms. */
  readonly latencies: readonly number[];
  /** The event of each request, when the request was due and when it was responded to (wall clock, ms). */
  readonly accepted: readonly AcceptedRequest[];
  /** Responses with the status 429, where a load goes on after them. */
  readonly rejected?: number;
}

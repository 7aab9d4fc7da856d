import { retryOnConflict } from '../db/database-error.ts';
import { accountsOf, type Queryable, systemStatement } from '../db/queryable.ts';

export interface EndpointRef {
  id: string;
  accountId: string;
}

/** The way from the transaction that stores deliveries to the workers. It may lose everything: a lease ends then. */
export interface DeliveryQueue {
  /** The lease of new deliveries in ms; 0 while workers are behind or the queue is away: they are due at once then. */
  leaseMs(): number;
  /**
   * Best effort, after the commit: new deliveries, sealed, and endpoints with deliveries that are due. Never throws, and
   * calls `onLost` when no worker will receive the hand-offs.
   */
  add(handOffs: readonly string[], endpoints: readonly EndpointRef[], onLost: () => void): void;
}

/** Until a worker has sent or extended it. Longer than a queue that works takes, and soon over when it lost a hand-off. */
export const newDeliveryLeaseMs = 3_000;

interface DeliverJobs {
  readonly isAccepting: boolean;
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[]; onLost: () => void }): Promise<void>;
}

/** The job queue as what leases new deliveries; `onError` receives what made a job fail. */
export function toDeliveryQueue(jobs: DeliverJobs, onError: (error: unknown) => void = () => undefined): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints, onLost) => void jobs.deliver({ handOffs, endpoints, onLost }).catch(onError),
  };
}

/** The holder of a delivery: only who knows the token may record, extend or release it. */
export interface Lease {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly leaseToken: string;
}

/** A condition on `due`, with the parameters $1 to $3 of `leaseKeys`. Rows are reached by their keys. */
export const ofHolder =
  'WHERE delivery_id = ANY ($1::text[]) AND account_id = ANY ($2::text[]) AND lease_token = ANY ($3::text[])';

export const leaseKeys = (leases: readonly Lease[]): [string[], string[], string[]] => [
  leases.map(({ deliveryId }) => deliveryId),
  accountsOf(leases),
  [...new Set(leases.map(({ leaseToken }) => leaseToken))],
];

/** With the parameters of `ofHolder`. */
export const releaseSql = `UPDATE due SET lease_token = NULL, lease_until = NULL, attempt_count = attempt_count - 1 ${ofHolder}`;

const release = systemStatement('release_claims', releaseSql);

/** Releases deliveries that were not attempted, as if they had not been leased. Leases that have ended are left alone. */
export async function releaseLeases(db: Queryable, leases: readonly Lease[]): Promise<void> {
  if (leases.length > 0) await retryOnConflict(() => db.query(release, leaseKeys(leases)));
}

import { retryOnConflict } from '../db/database-error.ts';
import { accountsOf, type Queryable, systemStatement } from '../db/queryable.ts';

export interface EndpointRef {
  id: string;
  accountId: string;
}

/** Passes new deliveries to the workers. It may lose them: they become due when their leases end. */
export interface DeliveryQueue {
  /** Lease for new deliveries in ms. 0 while workers are behind or the queue is down: they are due at once. */
  leaseMs(): number;
  /** After the commit. Never throws; calls `onLost` if no worker will receive the sealed hand-offs. */
  add(handOffs: readonly string[], endpoints: readonly EndpointRef[], onLost: () => void): void;
}

/** Longer than the queue takes, and short enough to recover quickly from a lost hand-off. */
export const newDeliveryLeaseMs = 3_000;

interface DeliverJobs {
  readonly isAccepting: boolean;
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[]; onLost: () => void }): Promise<void>;
}

/** `onError` receives errors of jobs that were not added. */
export function toDeliveryQueue(jobs: DeliverJobs, onError: (error: unknown) => void = () => undefined): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints, onLost) => void jobs.deliver({ handOffs, endpoints, onLost }).catch(onError),
  };
}

/** A worker's claim on a delivery. Recording, extending and releasing need its token. */
export interface Lease {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly leaseToken: string;
}

/** SQL condition on `due` with the parameters of `leaseKeys`. */
export const ofHolder =
  'WHERE delivery_id = ANY ($1::text[]) AND account_id = ANY ($2::text[]) AND lease_token = ANY ($3::text[])';

export const leaseKeys = (leases: readonly Lease[]): [string[], string[], string[]] => [
  leases.map(({ deliveryId }) => deliveryId),
  accountsOf(leases),
  [...new Set(leases.map(({ leaseToken }) => leaseToken))],
];

/** SQL: true if no worker holds the row of `due`: it has no lease, or the lease has ended. */
export const isFree = (due = 'due', now = 'now()'): string =>
  `(${due}.lease_until IS NULL OR ${due}.lease_until < ${now})`;

export const releaseSql = `UPDATE due SET lease_token = NULL, lease_until = NULL, attempt_count = attempt_count - 1 ${ofHolder}`;

const release = systemStatement('release_claims', releaseSql);

/** Releases deliveries without an attempt. Expired leases are left alone. */
export async function releaseLeases(db: Queryable, leases: readonly Lease[]): Promise<void> {
  if (leases.length > 0) await retryOnConflict(() => db.query(release, leaseKeys(leases)));
}

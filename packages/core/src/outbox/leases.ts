import { retryOnConflict } from '../db/database-error.ts';
import { accountsOf, type Queryable, systemStatement } from '../db/queryable.ts';

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

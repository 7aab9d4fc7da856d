import { againOnConflict } from '../db/again-on-conflict.ts';
import { accountsOf, type Queryable, systemStatement } from '../db/queryable.ts';

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
  if (leases.length > 0) await againOnConflict(() => db.query(release, leaseKeys(leases)));
}

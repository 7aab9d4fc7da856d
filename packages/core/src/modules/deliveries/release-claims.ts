import { accountsOf, systemStatement } from '../../db/queryable.ts';
import { leaseKeys, releaseLeases, releaseSql } from '../../outbox/leases.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { lockFlows } from './claim-gated.ts';

// Also returns the tokens of the rate limit, and ends probes, which would block the next one.
const releaseGated = systemStatement(
  'release_gated_claims',
  `WITH released AS (${releaseSql} RETURNING delivery_id, endpoint_id, account_id)
   UPDATE endpoint_flow f SET tokens = f.tokens + r.n, probed_at = CASE WHEN r.probes > 0 THEN NULL ELSE f.probed_at END
   FROM (
     SELECT endpoint_id, account_id, count(*) AS n, count(*) FILTER (WHERE delivery_id = ANY ($4::text[])) AS probes
     FROM released GROUP BY endpoint_id, account_id
   ) r
   WHERE f.endpoint_id = r.endpoint_id AND f.account_id = r.account_id`,
);

/** Undoes claims without an attempt. */
export async function releaseClaims(core: Core, claims: readonly ClaimedDelivery[]): Promise<void> {
  const gated = claims.filter((claim) => claim.gated);
  const others = claims.filter((claim) => !claim.gated);
  await releaseLeases(core.database, others);
  if (gated.length === 0) return;
  const endpoints = [...new Set(gated.map(({ endpointId }) => endpointId))];
  const probes = gated.filter(({ probe }) => probe).map(({ deliveryId }) => deliveryId);
  await transaction(core, { records: 'nothing' }, async (tx) => {
    // Claims lock these rows first, too.
    await tx.query(lockFlows, [endpoints, accountsOf(gated)]);
    await tx.query(releaseGated, [...leaseKeys(gated), probes]);
  });
}

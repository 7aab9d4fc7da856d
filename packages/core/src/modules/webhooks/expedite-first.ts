import { type Queryable, statement } from '../../db/queryable.ts';
import { queueOrder } from '../../kernel/feed-horizon.ts';

// A scheduled delivery waits for a probe while the breaker is open; a manual retry doesn't.
const expedite = statement(
  'expedite_first_delivery',
  `UPDATE due SET due_at = now()
   WHERE (due_at > now() OR due_at = next_attempt_at) AND (lease_until IS NULL OR lease_until < now()) AND delivery_id = coalesce(
     (SELECT h.delivery_id FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id WHERE f.endpoint_id = $1),
     (SELECT delivery_id FROM due WHERE endpoint_id = $1 ORDER BY due_at, ${queueOrder} LIMIT 1))`,
);

/**
 * Makes the endpoint's next delivery due now, like a manual retry, if it waits for its retry or a probe: the caller
 * says that the receiver works, and the retry may be a day away. For an ordered endpoint it is the delivery that blocks
 * the others.
 */
export async function expediteFirst(db: Queryable, endpointId: string): Promise<void> {
  await db.query(expedite, [endpointId]);
}

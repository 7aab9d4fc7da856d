import type { Core } from '../../kernel/context.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

// A leased delivery is cancelled too: its request is under way, and what comes of it no longer matters to anyone. Rows are
// reached by their keys, never by a join: a plan that was made while `due` was nearly empty would read all of it.
const cancel = statement(
  'cancel_due_of_deleted',
  `WITH gone AS (
     DELETE FROM due WHERE delivery_id = ANY (ARRAY(
       SELECT u.delivery_id FROM webhook_endpoint e
       CROSS JOIN LATERAL (SELECT delivery_id FROM due WHERE endpoint_id = e.id OFFSET 0) u
       WHERE e.deleted_at IS NOT NULL AND ($1::text IS NULL OR e.id = $1)))
     RETURNING delivery_id
   )
   UPDATE delivery SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
   WHERE id = ANY (ARRAY(SELECT delivery_id FROM gone)) AND status = 'pending'
   RETURNING id`,
);

/** Cancels everything that is due to an endpoint that was deleted. */
export async function cancelDeliveriesOf(db: Queryable, endpointId: string): Promise<void> {
  await db.query(cancel, [endpointId]);
}

/**
 * The same for every deleted endpoint: a transaction that emitted an event while the endpoint was being deleted commits
 * its delivery afterwards. Nothing is ever sent to a deleted endpoint; this only settles the books. Returns how many.
 */
export async function cancelDeliveriesOfDeleted(core: Core): Promise<number> {
  return (await core.database.query(cancel, [null])).length;
}

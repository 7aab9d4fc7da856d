import type { Core } from '../../kernel/context.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

// A leased delivery is cancelled too: its request is under way, and what comes of it no longer matters to anyone.
const cancel = statement(
  'cancel_due_of_deleted',
  `WITH gone AS (
     DELETE FROM due USING webhook_endpoint e
     WHERE e.id = due.endpoint_id AND e.deleted_at IS NOT NULL AND ($1::text IS NULL OR e.id = $1)
     RETURNING due.delivery_id
   )
   UPDATE delivery d SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
   FROM gone WHERE d.id = gone.delivery_id AND d.status = 'pending'
   RETURNING d.id`,
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

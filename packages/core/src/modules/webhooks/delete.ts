import type { operations } from '@finhook/contracts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import type { Verb } from '../../verbs/verb.ts';
import { findEndpoint } from './read.ts';
import { storedEndpoint } from './webhook-endpoint.entity.ts';

// A worker ends the replays; it reads only active ones. Replays are locked before their deliveries, as in a step.
const wakeReplays = statement(
  'wake_replays_of_endpoint',
  `UPDATE replay SET active = true, next_step_at = now() WHERE endpoint_id = $1 AND status IN ('running', 'paused')`,
);

// Includes leased deliveries. Rows are found by key: a plan made while `due` was nearly empty would read all of it.
const cancelSql = (condition: string): string => `
  WITH gone AS (
     DELETE FROM due WHERE delivery_id = ANY (ARRAY(
       SELECT u.delivery_id FROM webhook_endpoint e
       CROSS JOIN LATERAL (SELECT delivery_id FROM due WHERE endpoint_id = e.id OFFSET 0) u
       WHERE e.deleted_at IS NOT NULL AND ${condition}))
     RETURNING delivery_id
   )
   UPDATE delivery SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
   WHERE id = ANY (ARRAY(SELECT delivery_id FROM gone)) AND status = 'pending'
   RETURNING id`;

// An account's statement can't read `account_move`; a moving account gets no requests.
const cancelOne = statement('cancel_due_of_endpoint', cancelSql('e.id = $1'));
const cancelAll = systemStatement('cancel_due_of_deleted', cancelSql(isNotMoving('e.account_id')));

export const deleteEndpoint: Verb<typeof operations.webhookEndpoints.delete> = (context, input) =>
  transaction(context, { records: 'audit', lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = storedEndpoint(endpoint, now);
    tx.em.assign(endpoint, {
      secret: null,
      previous_secret: null,
      previous_secret_until: null,
      headers: null,
      private_key: null,
      deleted_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    await tx.query(wakeReplays, [endpoint.id]);
    await tx.query(cancelOne, [endpoint.id]);
    recordChange(tx, context, { action: 'webhookEndpoints.delete', before });
    return null;
  });

/** Cancels deliveries that a concurrent transaction has added after the deletion. Returns their number. */
export async function cancelDeliveriesOfDeleted(core: Core): Promise<number> {
  return (await core.database.query(cancelAll)).length;
}

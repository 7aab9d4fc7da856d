import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { cancelDeliveriesOf } from './cancel-deleted.ts';
import { findEndpoint } from './read-endpoints.ts';

type Op = typeof operations.webhookEndpoints.delete;

// A worker ends its replays; it looks at a paused one only when something calls for it. They are locked before what they
// made, as in a step.
const wakeReplays = statement(
  'wake_replays_of_endpoint',
  `UPDATE replay SET active = true, next_step_at = now() WHERE endpoint_id = $1 AND status IN ('running', 'paused')`,
);

/** Deletes an endpoint: its secrets are wiped and everything that was due to it is cancelled, in one transaction. */
export async function deleteEndpoint(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = endpoint.toRecord(now);
    Object.assign(endpoint, { secret: null, previousSecret: null, previousSecretUntil: null });
    Object.assign(endpoint, { headers: null, privateKey: null });
    endpoint.deletedAt = now;
    endpoint.updatedAt = now;
    await tx.em.flush();
    await tx.query(wakeReplays, [endpoint.id]);
    await cancelDeliveriesOf(tx, endpoint.id);
    await audit(tx, context, {
      action: 'webhookEndpoints.delete',
      companyId: endpoint.companyId ?? null,
      resourceId: endpoint.id,
      before,
    });
    return null;
  });
}

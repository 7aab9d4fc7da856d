import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { cancelDeliveriesOf } from './cancel-deleted.ts';
import { findEndpoint } from './read-endpoints.ts';

type Op = typeof operations.webhookEndpoints.delete;

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

import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { completeRecord } from './endpoint-flow.ts';
import { findEndpoint } from './read-endpoints.ts';

type Op = typeof operations.webhookEndpoints.completeRotation;

/** Ends the overlap of a rotation: the old secret is wiped. Where none runs, nothing changes. */
export async function completeRotation(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = endpoint.toRecord(now);
    if (endpoint.previousSecret == null) return completeRecord(tx, before, now);
    endpoint.previousSecret = null;
    endpoint.previousSecretUntil = null;
    endpoint.updatedAt = now;
    await tx.em.flush();
    const after = endpoint.toRecord(now);
    await audit(tx, context, {
      action: 'webhookEndpoints.completeRotation',
      companyId: endpoint.companyId ?? null,
      resourceId: endpoint.id,
      before,
      after,
    });
    return completeRecord(tx, after, now);
  });
}

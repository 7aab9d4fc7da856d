import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { ApiKey } from './api-key.entity.ts';

type Op = typeof operations.apiKeys.revoke;

/** Revokes a key; revoking it again changes nothing and emits nothing. */
export async function revokeApiKey(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.key_id }, async (tx) => {
    const key = await tx.em.findOne(ApiKey, { id: input.key_id, accountId: context.accountId });
    if (!key) throw notFound('API key');
    const now = context.clock.now();
    const before = key.toRecord(now);
    if (key.revokedAt) return before;
    tx.em.assign(key, { revokedAt: now, revokedBy: context.actor, updatedAt: now });
    await tx.em.flush();
    const record = key.toRecord(now);
    await audit(tx, context, { action: 'apiKeys.revoke', resourceId: key.id, before, after: record });
    await emit(tx, context, {
      type: 'api_key.revoked',
      accountId: context.accountId,
      data: { ...record, ...(input.reason == null ? {} : { revoked_reason: input.reason }) },
    });
    return record;
  });
}

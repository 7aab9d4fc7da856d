import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { defineStates } from '../../kernel/state-machine.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findApiKey } from './find-api-key.ts';
import { assertMayEnd } from './key-authority.ts';

type Op = typeof operations.apiKeys.revoke;

/** A key ends once: by its time or by somebody's hand. */
const keyStates = defineStates('API key', { active: ['expired', 'revoked'], expired: [], revoked: [] });

/**
 * Revokes a key; revoking it again changes nothing and emits nothing. Throws 409 for one that has expired, and 403 for one
 * that may do more than the key of the request.
 */
export async function revokeApiKey(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.key_id }, async (tx) => {
    const key = await findApiKey(tx.em, context, input.key_id);
    const now = context.clock.now();
    const before = key.toRecord(now);
    if (!keyStates.moves(before.status, 'revoked')) return before;
    assertMayEnd(context.access, key);
    tx.em.assign(key, { revokedAt: now, revokedBy: context.actor, overlapUntil: null, updatedAt: now });
    await tx.em.flush();
    const record = key.toRecord(now);
    await audit(tx, context, { action: 'apiKeys.revoke', resourceId: key.id, before, after: record });
    await emit(tx, context, {
      type: 'api_key.revoked',
      data: { ...record, ...(input.reason == null ? {} : { revoked_reason: input.reason }) },
    });
    return record;
  });
}

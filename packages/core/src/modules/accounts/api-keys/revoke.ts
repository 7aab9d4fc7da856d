import type { operations } from '@finhook/contracts';
import { quotaLock } from '../../../access/quota.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { type ApiKey, toApiKey } from './api-key.entity.ts';
import { assertMayEnd } from './key-authority.ts';
import { findApiKey } from './read.ts';

const keyStates = defineStates('API key', { active: ['expired', 'revoked'], expired: [], revoked: [] });

export const revokeApiKey: Verb<typeof operations.apiKeys.revoke> = async (context, input) => {
  // The quota's lock serialises two keys that revoke each other.
  const lock = [quotaLock('api_keys', context), input.key_id];
  return transaction(context, { records: 'audit and event', lock }, async (tx) => {
    const key = await findApiKey(tx.em, context, input.key_id);
    const now = context.clock.now();
    const before = toApiKey(key, now);
    if (!keyStates.moves(before.status, 'revoked')) return before;
    assertMayEnd(context.access, key);
    await assertOtherKey(tx, context, key);
    tx.em.assign(key, { revoked_at: now, revoked_by: context.actor, overlap_until: null, updated_at: now });
    await tx.em.flush();
    const after = toApiKey(key, now);
    const data = { ...after, ...(input.reason == null ? {} : { revoked_reason: input.reason }) };
    recordChange(tx, context, {
      action: 'apiKeys.revoke',
      before,
      after,
      event: { type: 'api_key.revoked', data },
    });
    return after;
  });
};

// A rotated key doesn't count, because it ends soon.
const findOther = statement(
  'find_other_owner_key',
  `SELECT id FROM api_key
   WHERE account_id = $1 AND id <> $2 AND scope = 'human' AND company_ids IS NULL
     AND (permissions IS NULL OR 'keys:write' = ANY (permissions))
     AND revoked_at IS NULL AND overlap_until IS NULL AND (expires_at IS NULL OR expires_at > $3)
   LIMIT 1`,
);

/** Without a key that may create keys, only an operator could create one. */
async function assertOtherKey(tx: Queryable, context: Context, key: ApiKey): Promise<void> {
  const makesKeys = key.permissions == null || key.permissions.includes('keys:write');
  if (key.scope !== 'human' || key.company_ids != null || !makesKeys) return;
  const others = await tx.query(findOther, [context.accountId, key.id, context.clock.now().toISOString()]);
  if (others.length > 0) return;
  throw new DomainError('last_key', {
    detail:
      'This is the last key that can create keys for the whole account. Create another key of scope human first, or rotate this one; an ' +
      'operator can create one too (account:key).',
  });
}

import type { ApiKey as ApiKeyRecord, operations } from '@finhook/contracts';
import { assertQuota, quotaLock } from '../../../access/quota.ts';
import { systemStatement } from '../../../db/queryable.ts';
import { emit } from '../../../outbox/emit.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { isNotMoving } from '../../../outbox/sequence-sql.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { forEachSettled } from '../../../verbs/batching.ts';
import { type Context, type Core, systemContext } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { rejectTransition } from '../../../verbs/state-machine.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { Account } from '../account.ts';
import { ApiKey, insertKey, personOf, toApiKey } from './api-key.entity.ts';
import { type Authority, includesAuthority, ownAuthority, permissionsOf } from './key-authority.ts';
import { findApiKey } from './read.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;
const QUOTA_HINT = 'Rotate with overlap_seconds 0, which ends the old key at once, or revoke one that is not used';

export const rotateApiKey: Verb<typeof operations.apiKeys.rotate> = async (context, input) => {
  const lock = [quotaLock('api_keys', context), input.key_id];
  return transaction(context, { records: 'audit and event', lock }, async (tx) => {
    const now = context.clock.now();
    const old = await findApiKey(tx.em, context, input.key_id);
    const before = toApiKey(old, now);
    assertRotatable(context, old, before.status);
    const overlapMs = (input.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS) * 1_000;
    if (overlapMs > 0) await assertQuota(tx, context, 'api_keys', QUOTA_HINT);
    const account = await tx.em.findOneOrFail(Account, context.accountId);
    const { key, created } = await insertKey(tx, context, {
      mode: account.mode,
      name: old.name,
      scope: old.scope,
      authority: { ...authorityOf(old), expires_at: renewedEnd(context, old, now) },
      agentId: old.agent_id ?? null,
      connectionIds: old.connection_ids ?? null,
      sources: old.sources ?? null,
      originId: old.origin_id ?? old.id,
    });
    const end = earlier(old.expires_at ?? null, new Date(now.getTime() + overlapMs)) ?? now;
    tx.em.assign(old, {
      rotated_to: created.id,
      expires_at: end,
      revoked_by: context.actor,
      updated_at: now,
      ...(overlapMs === 0 ? { revoked_at: now } : { overlap_until: end }),
    });
    await tx.em.flush();
    const after = toApiKey(old, now);
    recordChange(tx, context, {
      action: 'apiKeys.rotate',
      before,
      after: { ...after, replacement: created },
      event: { type: 'api_key.created', data: created },
    });
    if (overlapMs === 0) emit(tx, context, revokedEvent(after));
    return { ...created, key, replaces: old.id };
  });
};

function assertRotatable(context: Context, key: ApiKey, status: string): void {
  if (status !== 'active') throw rejectTransition('API key', status, 'rotated', []);
  if (key.rotated_to != null) {
    throw new DomainError('invalid_state_transition', {
      detail: `This API key was already rotated. Rotate its successor, ${key.rotated_to}.`,
      extra: { current_status: status, allowed: ['revoked'] },
    });
  }
  if (key.scope === 'human' && personOf(key) !== context.personId) {
    throw new DomainError('insufficient_scope', {
      detail:
        'The key to rotate belongs to another person, and you would see the new key. Revoke it, and let that person ' +
        'create another one.',
    });
  }
  if (includesAuthority(ownAuthority(context.access), authorityOf(key))) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'The key to rotate has more permissions than the key of this request. Use a key with at least the same permissions.',
  });
}

function authorityOf(key: ApiKey): Authority {
  return {
    company_ids: key.company_ids ?? null,
    permissions: permissionsOf(key),
    ip_allowlist: key.ip_allowlist ?? null,
    expires_at: key.expires_at ?? null,
  };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The old key's lifetime once more, limited by the expiry of the caller's key. */
function renewedEnd({ access }: Context, { created_at, expires_at }: ApiKey, now: Date): Date | null {
  const whole = expires_at == null ? null : new Date(now.getTime() + expires_at.getTime() - created_at.getTime());
  return earlier(whole, access.expiresAt ?? null);
}

function revokedEvent(key: ApiKeyRecord) {
  return { type: 'api_key.revoked' as const, data: { ...key, revoked_reason: 'rotated' } };
}

const findEnded = systemStatement(
  'find_ended_overlaps',
  `SELECT id FROM api_key WHERE overlap_until <= $1 AND ${isNotMoving('api_key.account_id')} LIMIT 1000`,
);

/** Stores the end of rotated keys and emits `api_key.revoked`. Returns their number. */
export async function endOverlaps(core: Core): Promise<number> {
  const rows = await core.database.query<{ id: string }>(findEnded, [core.clock.now().toISOString()]);
  return forEachSettled(rows, ({ id }) => endOverlap(core, id));
}

async function endOverlap(core: Core, keyId: string): Promise<boolean> {
  return transaction(core, { records: 'audit and event', lock: keyId }, async (tx) => {
    const now = core.clock.now();
    const key = await tx.em.findOneOrFail(ApiKey, keyId);
    const end = key.overlap_until;
    if (end == null || end > now) return false;
    tx.em.assign(key, { revoked_at: end, overlap_until: null, updated_at: now });
    await tx.em.flush();
    const context = systemContext(core, key.account_id, 'key_overlap');
    const after = toApiKey(key, now);
    recordChange(tx, context, { action: 'apiKeys.endOverlap', after, event: revokedEvent(after) });
    return true;
  });
}

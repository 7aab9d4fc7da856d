import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context, Core } from '../../kernel/context.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { eachApart } from '../../kernel/each-apart.ts';
import { emit } from '../../kernel/emit.ts';
import { statement } from '../../kernel/queryable.ts';
import { assertQuota, quotaLock } from '../../kernel/quota.ts';
import { refuseTransition } from '../../kernel/state-machine.ts';
import { systemContext } from '../../kernel/system-context.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Account } from './account.entity.ts';
import { ApiKey } from './api-key.entity.ts';
import { findApiKey } from './find-api-key.ts';
import { type Authority, holdsAuthority, ownAuthority, permissionsOf } from './key-authority.ts';
import { mintKey } from './mint-key.ts';

type Op = typeof operations.apiKeys.rotate;

/** Seconds that both keys work when the request names none: a day. */
const DEFAULT_OVERLAP = 86_400;
const REASON = 'rotated';
const ROOM = 'Rotate with overlap_seconds 0, which ends the old key at once, or revoke one that is not used';

/**
 * Mints a key with the same authority in place of another, which stops when the overlap ends. Throws 409 for a key that
 * has ended or was rotated before, and 403 for one that may do more than the key of the request or is another person's.
 * While both work they count as two (`limit_reached`); without an overlap the new one takes the place of the old.
 */
export async function rotateApiKey(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const lock = [quotaLock('api_keys', context), input.key_id];
  return transaction(context, { lock }, async (tx) => {
    const now = context.clock.now();
    const old = await findApiKey(tx.em, context, input.key_id);
    const before = old.toRecord(now);
    refuseUnfit(context, old, before.status);
    const overlapMs = (input.overlap_seconds ?? DEFAULT_OVERLAP) * 1_000;
    if (overlapMs > 0) await assertQuota(tx, context, 'api_keys', ROOM);
    const account = await tx.em.findOneOrFail(Account, context.accountId);
    const { key, entity } = mintKey(tx, context, {
      mode: account.mode,
      name: old.name,
      scope: old.scope,
      authority: { ...authorityOf(old), expiresAt: renewedEnd(context, old, now) },
      agentId: old.agentId ?? null,
    });
    const end = earlier(old.expiresAt ?? null, new Date(now.getTime() + overlapMs)) ?? now;
    tx.em.assign(old, {
      rotatedTo: entity.id,
      expiresAt: end,
      revokedBy: context.actor,
      updatedAt: now,
      ...(overlapMs === 0 ? { revokedAt: now } : { overlapUntil: end }),
    });
    await tx.em.flush();
    const created = entity.toRecord(now);
    const after = { ...old.toRecord(now), replacement: created };
    await audit(tx, context, { action: 'apiKeys.rotate', resourceId: old.id, before, after });
    await emit(tx, context, { type: 'api_key.created', data: created });
    if (overlapMs === 0) await emitRevoked(tx, context, old);
    return { ...created, key, replaces: old.id };
  });
}

function refuseUnfit(context: Context, key: ApiKey, status: string): void {
  if (status !== 'active') throw refuseTransition('API key', status, 'rotated', []);
  if (key.rotatedTo != null) {
    throw new DomainError('invalid_state_transition', {
      detail: `This API key was rotated before: ${key.rotatedTo} takes its place. Rotate that one.`,
      extra: { current_status: status, allowed: ['revoked'] },
    });
  }
  if (key.scope === 'human' && key.countsAs() !== context.personId) {
    throw new DomainError('insufficient_scope', {
      detail:
        'The key to rotate is another person’s, and the new one would be known to you. Revoke it, and let that person ' +
        'make another.',
    });
  }
  if (holdsAuthority(ownAuthority(context.access), authorityOf(key))) return;
  throw new DomainError('insufficient_scope', {
    detail: 'The key to rotate may do more than the key of this request. Use a key that may do as much.',
  });
}

function authorityOf(key: ApiKey): Authority {
  return {
    companyIds: key.companyIds ?? null,
    permissions: permissionsOf(key),
    ipAllowlist: key.ipAllowlist ?? null,
    expiresAt: key.expiresAt ?? null,
  };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** As long a life as the old key was given, though never beyond the end of the key of the request. */
function renewedEnd({ access }: Context, { createdAt, expiresAt }: ApiKey, now: Date): Date | null {
  const whole = expiresAt == null ? null : new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
  return earlier(whole, access.expiresAt ?? null);
}

async function emitRevoked(tx: Work, context: Context, key: ApiKey): Promise<void> {
  const data = { ...key.toRecord(context.clock.now()), revoked_reason: REASON };
  await emit(tx, context, { type: 'api_key.revoked', data });
}

const findEnded = statement('find_ended_overlaps', 'SELECT id FROM api_key WHERE overlap_until <= $1 LIMIT 1000');

/** Tells of rotated keys whose overlap has ended: each one once, as revoked at that moment. Returns how many. */
export async function endOverlaps(core: Core): Promise<number> {
  const rows = await core.database.query<{ id: string }>(findEnded, [core.clock.now().toISOString()]);
  let told = 0;
  await eachApart(rows, async ({ id }) => {
    if (await endOverlap(core, id)) told++;
  });
  return told;
}

async function endOverlap(core: Core, keyId: string): Promise<boolean> {
  return transaction(core, { lock: keyId }, async (tx) => {
    const now = core.clock.now();
    const key = await tx.em.findOneOrFail(ApiKey, keyId);
    const end = key.overlapUntil;
    if (end == null || end > now) return false;
    tx.em.assign(key, { revokedAt: end, overlapUntil: null, updatedAt: now });
    await tx.em.flush();
    const context = systemContext(core, key.accountId, 'key_overlap');
    await audit(tx, context, { action: 'apiKeys.endOverlap', resourceId: key.id, after: key.toRecord(now) });
    await emitRevoked(tx, context, key);
    return true;
  });
}

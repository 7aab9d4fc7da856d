// Risk: a rotation widens what a key may do, leaves the old key active, or reports its end twice or never.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import type { Access } from '../../../access/access.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { createCompany } from '../../companies/create.ts';
import { createAuthenticator } from '../authenticate.ts';
import { createApiKey } from './create.ts';
import { getApiKey, listApiKeys, personKeys } from './read.ts';
import { revokeApiKey } from './revoke.ts';
import { endOverlaps, rotateApiKey } from './rotate.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);

const DAY = 86_400_000;
const later = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString();
const read = (key_id: string) => getApiKey(fixture.context, { key_id });
const rotate = (key_id: string, overlap_seconds?: number) =>
  rotateApiKey(fixture.context, { key_id, ...(overlap_seconds === undefined ? {} : { overlap_seconds }) });
const auditsOf = (resourceId: string) =>
  fixture.core.database.query<{ action: string; before: unknown; after: unknown }>(
    'SELECT action, before, after FROM audit_log WHERE resource_id = $1 ORDER BY id',
    [resourceId],
  );
const revocationsOf = async (id: string) =>
  (await readFeed(fixture.context, 'api_key.revoked')).filter(({ data }) => data['id'] === id).map(({ data }) => data);

function errorOf(call: Promise<unknown>): Promise<unknown[]> {
  return call.then(
    () => ['not refused'],
    (error: unknown) =>
      error instanceof DomainError ? [error.code, error.extra['current_status']] : [`no rejection: ${String(error)}`],
  );
}

test('a rotation creates a key of the same kind, and the old one works for another day by default', async () => {
  const narrowing = {
    permissions: ['cash:write' as const],
    ip_allowlist: ['203.0.113.0/24'],
    company_ids: [fixture.companyId],
  };
  const old = await createApiKey(fixture.context, { name: 'Sync', scope: 'human', ...narrowing });
  const fresh = await rotate(old.id);
  const { key, replaces, ...record } = fresh;
  expect([replaces, key === old.key, key.slice(0, 8)]).toEqual([old.id, false, 'sk_test_']);
  expect(record).toMatchObject({ name: 'Sync', scope: 'human', status: 'active', ...narrowing, expires_at: null });
  const after = await read(old.id);
  expect(after).toMatchObject({ status: 'active', rotated_to: fresh.id, expires_at: later(DAY), revoked_at: null });
  expect(await read(fresh.id)).toEqual(record);

  const { key: oldKey, ...before } = old;
  expect(await auditsOf(old.id)).toEqual([
    { action: 'apiKeys.create', before: null, after: before },
    { action: 'apiKeys.rotate', before, after: { ...after, replacement: record } },
  ]);
  expect(await auditsOf(fresh.id)).toEqual([]);
  const created = (await readFeed(fixture.context, 'api_key.created')).filter(({ data }) => data['id'] === fresh.id);
  expect(created.map(({ data }) => data)).toEqual([record]);
  expect(await revocationsOf(old.id)).toEqual([]);
  expect(JSON.stringify([await auditsOf(old.id), created])).not.toContain(oldKey);
});

test('when the overlap ends the old key is revoked, which is reported once, by however many workers', async () => {
  const old = await createApiKey(fixture.context, { name: 'Turn', scope: 'read' });
  await rotate(old.id, 60);
  const end = later(60_000);
  clock.advance(59_999);
  await endOverlaps(fixture.core);
  expect((await read(old.id)).status).toBe('active');
  clock.advance(1);
  // Even if the job has not run yet.
  const { actor } = fixture.context;
  expect(await read(old.id)).toMatchObject({ status: 'revoked', revoked_at: end, revoked_by: actor });
  clock.advance(5_000);
  await Promise.all([endOverlaps(fixture.core), endOverlaps(fixture.core), endOverlaps(fixture.core)]);
  expect(await endOverlaps(fixture.core)).toBe(0);
  const record = await read(old.id);
  expect(record).toMatchObject({ status: 'revoked', revoked_at: end, revoked_by: actor });
  expect(await revocationsOf(old.id)).toEqual([{ ...record, revoked_reason: 'rotated' }]);
  expect((await auditsOf(old.id)).map(({ action }) => action)).toEqual([
    'apiKeys.create',
    'apiKeys.rotate',
    'apiKeys.endOverlap',
  ]);
});

test('an overlap of 0 revokes the old key in the same request', async () => {
  const old = await createApiKey(fixture.context, { name: 'Leaked', scope: 'read' });
  await rotate(old.id, 0);
  const record = await read(old.id);
  expect(record).toMatchObject({ status: 'revoked', revoked_at: clock.now().toISOString() });
  expect(await revocationsOf(old.id)).toEqual([{ ...record, revoked_reason: 'rotated' }]);
  expect((await auditsOf(old.id)).map(({ action }) => action)).toEqual(['apiKeys.create', 'apiKeys.rotate']);
  clock.advance(1_000);
  await endOverlaps(fixture.core);
  expect(await revocationsOf(old.id)).toHaveLength(1);
});

test('a rotated key that is revoked during the overlap ends at once, with one event', async () => {
  const old = await createApiKey(fixture.context, { name: 'Both', scope: 'read' });
  await rotate(old.id, 60);
  const revoked = await revokeApiKey(fixture.context, { key_id: old.id, reason: 'leaked' });
  expect(revoked).toMatchObject({ status: 'revoked', revoked_at: clock.now().toISOString() });
  clock.advance(61_000);
  await endOverlaps(fixture.core);
  expect(await revocationsOf(old.id)).toEqual([{ ...revoked, revoked_reason: 'leaked' }]);
});

test('a key that ended or was rotated before cannot be rotated, and nothing changes', async () => {
  const createKey = () => createApiKey(fixture.context, { name: 'k', scope: 'read', expires_in_days: 1 });
  const [revoked, rotated, expired] = [await createKey(), await createKey(), await createKey()];
  await revokeApiKey(fixture.context, { key_id: revoked.id });
  await rotate(rotated.id, 3_600);
  const count = async () => (await fixture.core.database.query('SELECT id FROM audit_log')).length;
  const before = await count();
  expect(await errorOf(rotate(revoked.id))).toEqual(['invalid_state_transition', 'revoked']);
  expect(await errorOf(rotate(rotated.id))).toEqual(['invalid_state_transition', 'active']);
  clock.advance(DAY);
  expect(await errorOf(rotate(expired.id))).toEqual(['invalid_state_transition', 'expired']);
  expect(await errorOf(rotate(`key_${'7'.repeat(26)}`))).toEqual(['not_found', undefined]);
  expect(await count()).toBe(before);
});

test('the replacement of an expiring key lives as long as that one did; the overlap never prolongs the old key', async () => {
  const old = await createApiKey(fixture.context, { name: 'Dated', scope: 'read', expires_in_days: 10 });
  clock.advance(9.5 * DAY);
  const fresh = await rotate(old.id);
  expect(fresh.expires_at).toBe(later(10 * DAY));
  expect((await read(old.id)).expires_at).toBe(old.expires_at);
});

test('a key can’t rotate one that may do more than itself, nor give it a later expiry than its own', async () => {
  const second = (await createCompany(fixture.context, { name: 'Second' })).id;
  const { companyId } = fixture;
  const wide = await createApiKey(fixture.context, { name: 'Wide', scope: 'human' });
  const restricted = await createApiKey(fixture.context, {
    name: 'Narrow',
    scope: 'human',
    company_ids: [companyId],
    permissions: ['keys:write'],
    ip_allowlist: ['10.1.0.0/16'],
  });
  const as = (access: Access, key_id: string) => rotateApiKey({ ...fixture.context, access }, { key_id });
  expect(await errorOf(as({ companyIds: [companyId] }, wide.id))).toEqual(['not_found', undefined]);
  expect(await errorOf(as({ companyIds: [second] }, restricted.id))).toEqual(['not_found', undefined]);
  expect(await errorOf(as({ permissions: ['keys:write'] }, wide.id))).toEqual(['insufficient_scope', undefined]);
  expect(await errorOf(as({ permissions: ['cash:write'] }, restricted.id))).toEqual(['insufficient_scope', undefined]);
  expect(await errorOf(as({ ipAllowlist: ['10.0.0.0/8'] }, wide.id))).toEqual(['insufficient_scope', undefined]);
  expect(await errorOf(as({ ipAllowlist: ['10.1.1.0/24'] }, restricted.id))).toEqual(['insufficient_scope', undefined]);
  const same: Access = {
    companyIds: [companyId],
    permissions: ['keys:write'],
    ipAllowlist: ['10.0.0.0/8'],
    expiresAt: new Date(clock.now().getTime() + DAY),
  };
  expect(await as(same, restricted.id)).toMatchObject({ company_ids: [companyId], expires_at: later(DAY) });
});

test('keys are listed with their current status, also during and after an overlap', async () => {
  const { context } = await fixture.otherAccount();
  const old = await createApiKey(context, { name: 'Old', scope: 'read' });
  await rotateApiKey(context, { key_id: old.id, overlap_seconds: 60 });
  const idsOf = async (status: 'active' | 'expired' | 'revoked') =>
    (await listApiKeys(context, { limit: 50, order: 'asc', status })).data.map(({ id }) => id);
  expect((await idsOf('active')).includes(old.id)).toBe(true);
  clock.advance(60_000);
  for (const reported of [false, true]) {
    if (reported) await endOverlaps(fixture.core);
    expect([(await idsOf('active')).includes(old.id), await idsOf('expired'), await idsOf('revoked')]).toEqual([
      false,
      [],
      [old.id],
    ]);
  }
});

test('a restricted key sees only keys that access no more than itself', async () => {
  const { context, companyId } = await fixture.otherAccount();
  const second = (await createCompany(context, { name: 'Second' })).id;
  const createKey = (name: string, company_ids?: string[]) =>
    createApiKey(context, { name, scope: 'human', ...(company_ids ? { company_ids } : {}) });
  const [whole, mine, both] = [
    await createKey('Whole'),
    await createKey('Mine', [companyId]),
    await createKey('Both', [companyId, second]),
  ];
  const restricted = { ...context, access: { companyIds: [companyId] } };
  expect((await listApiKeys(restricted, { limit: 50, order: 'asc' })).data.map(({ id }) => id)).toEqual([mine.id]);
  expect((await getApiKey(restricted, { key_id: mine.id })).id).toBe(mine.id);
  for (const { id } of [whole, both]) {
    expect(await errorOf(getApiKey(restricted, { key_id: id }))).toEqual(['not_found', undefined]);
    expect(await errorOf(revokeApiKey(restricted, { key_id: id }))).toEqual(['not_found', undefined]);
  }
});

test('an active key that was not used for 45 days is marked as unused and still works', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Idle', scope: 'read' });
  const unused = async () => (await read(newKey.id)).unused;
  clock.advance(45 * DAY - 1);
  expect(await unused()).toBe(false);
  clock.advance(1);
  expect(await unused()).toBe(true);
  await fixture.core.database.query('UPDATE api_key SET last_used_at = $2 WHERE id = $1', [newKey.id, later(0)]);
  expect(await unused()).toBe(false);
  clock.advance(45 * DAY);
  expect(await unused()).toBe(true);
  await revokeApiKey(fixture.context, { key_id: newKey.id });
  expect(await unused()).toBe(false);
});

test('a key that a process of 0.1.0 created during the update is a person of its own, as are the keys created with it', async () => {
  const made = await createApiKey(fixture.context, { name: 'Made by 0.1.0', scope: 'human' });
  await fixture.core.database.query('UPDATE api_key SET person_id = NULL WHERE id = $1', [made.id]);
  expect((await read(made.id)).person_id).toBe(made.id);
  const { personId } = await createAuthenticator(fixture.core).authenticate(made.key, '203.0.113.1');
  expect(personId).toBe(made.id);
  const own: Context = { ...fixture.context, keyId: made.id, personId, actor: { type: 'api_key', id: made.id } };
  const rotated = await rotateApiKey(own, { key_id: made.id });
  expect(rotated.person_id).toBe(made.id);
  const ofRotated = await personKeys(own.database, { ...own, keyId: rotated.id });
  expect(ofRotated).toEqual(new Set([made.id, rotated.id]));
});

test('a rotation counts as one more key until its overlap ends; without an overlap it replaces the old one', async () => {
  const { query } = fixture.core.database;
  const setQuota = (change: string) =>
    query(`UPDATE account SET quotas = ${change} WHERE id = $1`, [fixture.context.accountId]);
  const keys = await Promise.all(
    Array.from({ length: 3 }, () => createApiKey(fixture.context, { name: 'Counted', scope: 'read' })),
  );
  const [first = '', second = '', third = ''] = keys.map(({ id }) => id);
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_key
     WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [fixture.context.accountId, clock.now().toISOString()],
  );
  const limit = (row?.count ?? 0) + 1;
  await setQuota(`quotas || '{"api_keys": ${limit}}'`);
  const results = await Promise.allSettled([rotate(first), rotate(second, 60)]);
  const [rejected, ...others] = results.filter((result) => result.status === 'rejected');
  expect(others).toEqual([]);
  expect(rejected?.reason).toMatchObject({
    code: 'limit_reached',
    extra: { resource: 'api_keys', limit },
    message: expect.stringContaining('overlap_seconds 0'),
  });
  await expect(createApiKey(fixture.context, { name: 'More', scope: 'read' })).rejects.toMatchObject({
    code: 'limit_reached',
  });
  expect((await rotate(third, 0)).replaces).toBe(third);
  clock.advance(2 * DAY);
  const left = results[0]?.status === 'rejected' ? first : second;
  expect((await rotate(left)).replaces).toBe(left);
  await setQuota("quotas - 'api_keys'");
});

// Risk: creating or revoking a key leaves no trace, leaks the key, or is reported twice.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import type { Access } from '../../../access/access.ts';
import type { Context } from '../../../verbs/context.ts';
import { getMe, openAccount } from '../account.ts';
import { createApiKey } from './create.ts';
import { listApiKeys } from './read.ts';
import { revokeApiKey } from './revoke.ts';
import { rotateApiKey } from './rotate.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);

const auditsOf = (resourceId: string) =>
  fixture.core.database.query<{ action: string; before: unknown; after: unknown }>(
    'SELECT action, before, after FROM audit_log WHERE resource_id = $1 ORDER BY id',
    [resourceId],
  );

test('the key is in the response to its creation, and in no list, event or audit row', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Sync', scope: 'human' });
  expect(newKey.key).toMatch(/^sk_test_/);
  expect([newKey.prefix, newKey.last4]).toEqual([newKey.key.slice(0, 12), newKey.key.slice(-4)]);
  const { data: listed } = await listApiKeys(fixture.context, { limit: 2, order: 'desc' });
  const told = [listed, await readFeed(fixture.context, 'api_key.created'), await auditsOf(newKey.id)];
  expect(JSON.stringify(told)).not.toContain(newKey.key);
});

test('revoking a key reports who, when and why, once; revoking it again changes and emits nothing', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Gone', scope: 'read' });
  const revoked = await revokeApiKey(fixture.context, { key_id: newKey.id, reason: 'leaked' });
  expect(revoked).toMatchObject({
    status: 'revoked',
    revoked_at: clock.now().toISOString(),
    revoked_by: fixture.context.actor,
  });
  clock.advance(1_000);
  expect(await revokeApiKey(fixture.context, { key_id: newKey.id })).toEqual(revoked);
  const events = (await readFeed(fixture.context, 'api_key.revoked')).filter(({ data }) => data['id'] === newKey.id);
  expect(events.map(({ data }) => data)).toEqual([{ ...revoked, revoked_reason: 'leaked' }]);
  expect((await auditsOf(newKey.id)).map(({ action }) => action)).toEqual(['apiKeys.create', 'apiKeys.revoke']);
});

test('a key can’t revoke one that may do more than itself, from whatever address either may be used', async () => {
  const createKey = (more: object = {}) => createApiKey(fixture.context, { name: 'k', scope: 'human', ...more });
  const wide = await createKey();
  const cash = await createKey({ permissions: ['cash:write'] });
  const lesser = await createKey({ permissions: ['keys:write'], ip_allowlist: ['10.0.0.0/8'] });
  const access: Access = { permissions: ['keys:write'], ipAllowlist: ['10.0.0.0/8'] };
  const revoke = (as: Access, key_id: string) => revokeApiKey({ ...fixture.context, access: as }, { key_id });
  for (const { id } of [wide, cash]) {
    await expect(revoke(access, id)).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect((await auditsOf(id)).map(({ action }) => action)).toEqual(['apiKeys.create']);
  }
  expect((await revoke(access, lesser.id)).status).toBe('revoked');
  expect((await revoke({ ipAllowlist: ['10.0.0.0/8'] }, wide.id)).status).toBe('revoked');
  expect((await revoke(access, wide.id)).status).toBe('revoked');
  expect((await revoke({}, cash.id)).status).toBe('revoked');
  // A key with scope `read` has no wider authority than any other key.
  const reader = await createKey({ scope: 'read' });
  expect((await revoke({ permissions: [] }, reader.id)).status).toBe('revoked');
});

test('a caller sees its own account and key', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Me', scope: 'read' });
  const me = await getMe({ ...fixture.context, keyId: newKey.id, scope: 'read' });
  expect(me.account).toMatchObject({ id: fixture.context.accountId, name: 'Acme', mode: 'test' });
  expect(me.api_key).toEqual({
    id: newKey.id,
    name: 'Me',
    scope: 'read',
    company_ids: null,
    permissions: null,
    agent_id: null,
    expires_at: null,
  });
});

test('an account can’t be created with a first key of another form', async () => {
  const opening = openAccount(fixture.core, { name: 'X', mode: 'live', companyName: 'X', key: 'sk_live_1234' });
  await expect(opening).rejects.toThrow('BOOTSTRAP_API_KEY');
});

test('the last key that can create keys for the whole account cannot be revoked', async () => {
  const { context, first } = await freshAccount();
  const revoke = (key_id: string) => revokeApiKey(context, { key_id });
  const last = { code: 'last_key', status: 409, message: expect.stringContaining('account:key') };
  await createApiKey(context, { name: 'Reader', scope: 'read' });
  await createApiKey(context, { name: 'Ingest', scope: 'human', permissions: ['cash:write'] });
  await expect(revoke(first)).rejects.toMatchObject(last);

  const successor = await rotateApiKey(context, { key_id: first });
  await expect(revoke(successor.id)).rejects.toMatchObject(last);
  expect((await revoke(first)).status).toBe('revoked');
  const creator = await createApiKey(context, { name: 'Minter', scope: 'human', permissions: ['keys:write'] });
  expect((await revoke(successor.id)).status).toBe('revoked');
  await expect(revoke(creator.id)).rejects.toMatchObject(last);
});

test('of two keys that revoke each other at the same time, one remains', async () => {
  for (let round = 0; round < 5; round++) {
    const { context, first } = await freshAccount();
    const second = await createApiKey(context, { name: 'Second', scope: 'human' });
    const ends = await Promise.allSettled([first, second.id].map((key_id) => revokeApiKey(context, { key_id })));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});

async function freshAccount(): Promise<{ context: Context; first: string }> {
  const { context } = await fixture.otherAccount();
  const [{ id } = { id: '' }] = (await listApiKeys(context, { limit: 10, order: 'asc' })).data;
  return { context: { ...context, keyId: id, personId: id }, first: id };
}

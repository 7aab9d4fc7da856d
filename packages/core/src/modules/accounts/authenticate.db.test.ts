// Risk: a revoked, expired or invented key is accepted, or every bad key costs a query.
import { randomBytes } from 'node:crypto';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { createSecrets } from '../../access/secrets.ts';
import type { Core } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import { attachAgent, detachAgent } from '../agents/attach.ts';
import { createAgent } from '../agents/create.ts';
import { pauseAgent } from '../agents/pause.ts';
import { createCompany } from '../companies/create.ts';
import { createApiKey } from './api-keys/create.ts';
import { generateKey } from './api-keys/key-format.ts';
import { listApiKeys } from './api-keys/read.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { rotateApiKey } from './api-keys/rotate.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { KeyRejected } from './known-key.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let queries: unknown[][];
let counting: Core;
let authenticator: Authenticator;
beforeEach(() => {
  queries = [];
  const query: Core['database']['query'] = (sql, values) => {
    queries.push([sql, values]);
    return fixture.core.database.query(sql, values);
  };
  counting = { ...fixture.core, database: { ...fixture.core.database, query } };
  authenticator = createAuthenticator(counting);
});

const rejected = (code: string) => (error: unknown) => error instanceof DomainError && error.code === code;

test('a valid key is found by its hash, with its account, scope and name', async () => {
  const { context } = fixture;
  const newKey = await createApiKey(context, { name: 'Reader', scope: 'read' });
  const principal = await authenticator.authenticate(newKey.key, '203.0.113.1');
  expect(principal).toEqual({
    keyId: newKey.id,
    originId: newKey.id,
    personId: newKey.person_id,
    accountId: context.accountId,
    scope: 'read',
    access: {},
    actor: { type: 'api_key', id: newKey.id, name: 'Reader' },
  });
  expect(JSON.stringify(queries)).not.toContain(newKey.key);
  const others = await authenticator.authenticate(fixture.apiKey, '203.0.113.1');
  expect([others.accountId, others.scope]).toEqual([context.accountId, 'human']);
});

test.each(['', 'x', 'sk_live_short', `sk_live_${'a'.repeat(36)}`, "' OR 1=1 --"])(
  'the malformed key %j makes no query',
  async (key) => {
    await expect(authenticator.authenticate(key, '203.0.113.1')).rejects.toSatisfy(rejected('invalid_api_key'));
    expect(queries).toEqual([]);
  },
);

test('an unknown key costs one look-up, like a known one, and then none while it is cached', async () => {
  const unknown = generateKey('live');
  for (const key of [unknown, fixture.apiKey]) {
    queries.length = 0;
    for (let i = 0; i < 3; i++) await authenticator.authenticate(key, '::1').catch(() => undefined);
    expect(queries).toHaveLength(1);
  }
  await expect(authenticator.authenticate(unknown, '::1')).rejects.toSatisfy(rejected('invalid_api_key'));
});

test('a revocation works in every process within a second', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Brief', scope: 'human' });
  const processes = [createAuthenticator(fixture.core), createAuthenticator(fixture.core)];
  for (const process of processes) await process.authenticate(newKey.key, '::1');
  await revokeApiKey(fixture.context, { key_id: newKey.id });
  clock.advance(1_000);
  for (const process of processes) {
    await expect(process.authenticate(newKey.key, '::1')).rejects.toSatisfy(rejected('revoked_api_key'));
  }
});

test('a key expires to the second, even while its look-up is cached', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Day', scope: 'human', expires_in_days: 1 });
  const expires = new Date(newKey.expires_at ?? '');
  expect(expires.getTime() - clock.now().getTime()).toBe(86_400_000);
  clock.set(new Date(expires.getTime() - 1));
  await authenticator.authenticate(newKey.key, '::1');
  clock.set(expires);
  await expect(authenticator.authenticate(newKey.key, '::1')).rejects.toSatisfy(rejected('expired_api_key'));
});

test('the last use and its address are stored on flush, at most once a minute', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Used', scope: 'human' });
  const lastUse = async () => {
    const { data } = await listApiKeys(fixture.context, { limit: 200, order: 'desc' });
    const key = data.find(({ id }) => id === newKey.id);
    return [key?.last_used_at, key?.last_used_ip];
  };
  const use = async (ip: string) => {
    await authenticator.authenticate(newKey.key, ip);
    await authenticator.flush();
  };
  const first = clock.now().toISOString();
  expect(await lastUse()).toEqual([null, null]);
  await use('203.0.113.1');
  expect(await lastUse()).toEqual([first, '203.0.113.1']);
  clock.advance(30_000);
  await use('203.0.113.2');
  expect(await lastUse()).toEqual([first, '203.0.113.1']);
  clock.advance(31_000);
  await use('203.0.113.3');
  expect(await lastUse()).toEqual([clock.now().toISOString(), '203.0.113.3']);
});

test('a flush without uses runs no query, and a rejected key is not a use', async () => {
  await authenticator.authenticate(generateKey('live'), '::1').catch(() => undefined);
  queries.length = 0;
  await authenticator.flush();
  expect(queries).toEqual([]);
});

test('after the master key is rotated, keys created before work while the old one is configured, and used ones without it', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Before', scope: 'human' });
  const fresh = randomBytes(32).toString('base64');
  const old = Buffer.alloc(32, 7).toString('base64');
  const rotated = createAuthenticator({ ...fixture.core, secrets: createSecrets(`${fresh},${old}`) });
  expect((await rotated.authenticate(newKey.key, '::1')).keyId).toBe(newKey.id);
  const without = createAuthenticator({ ...fixture.core, secrets: createSecrets(fresh) });
  const unused = await createApiKey(fixture.context, { name: 'Unused', scope: 'human' });
  await expect(without.authenticate(unused.key, '::1')).rejects.toSatisfy(rejected('invalid_api_key'));
  // A key used meanwhile is stored under the new master key.
  expect((await without.authenticate(newKey.key, '::1')).keyId).toBe(newKey.id);
});

test('requests get the restrictions of their key', async () => {
  const { context, companyId } = fixture;
  const newKey = await createApiKey(context, {
    name: 'Narrow',
    scope: 'human',
    company_ids: [companyId],
    permissions: ['cash:write'],
    ip_allowlist: ['203.0.113.0/24'],
    expires_in_days: 1,
  });
  const { access } = await authenticator.authenticate(newKey.key, '203.0.113.9');
  expect(access).toEqual({
    companyIds: [companyId],
    permissions: ['cash:write'],
    ipAllowlist: ['203.0.113.0/24'],
    expiresAt: new Date(newKey.expires_at ?? ''),
  });
});

test('a key with an IP allowlist is rejected from other addresses and from invalid ones', async () => {
  const ip_allowlist = ['203.0.113.0/24', '2001:db8::/32'];
  const newKey = await createApiKey(fixture.context, { name: 'Bound', scope: 'read', ip_allowlist });
  for (const ip of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8::7'])
    await authenticator.authenticate(newKey.key, ip);
  for (const ip of ['203.0.112.255', '::1', '2001:db9::1', 'unknown', '']) {
    const rejection: unknown = await authenticator.authenticate(newKey.key, ip).catch((error: unknown) => error);
    expect(rejection instanceof KeyRejected && [rejection.code, rejection.status, rejection.principal.keyId]).toEqual([
      'ip_not_allowed',
      403,
      newKey.id,
    ]);
  }
});

test('a key of an agent acts as the agent and accesses the companies that it is attached to at that moment', async () => {
  const { context, companyId } = fixture;
  const other = await createCompany(context, { name: 'Second' });
  const agent = await createAgent(context, { name: 'Clerk', provider: 'example', company_id: companyId });
  const wide = await createApiKey(context, { name: 'Wide', scope: 'agent', agent_id: agent.id });
  const restricted = await createApiKey(context, {
    name: 'Narrow',
    scope: 'agent',
    agent_id: agent.id,
    company_ids: [other.id],
  });
  const accessibleCompanies = async (key: string) => {
    const { access, actor } = await authenticator.authenticate(key, '::1');
    expect(access.agentId).toBe(agent.id);
    expect(actor).toEqual({ type: 'agent', id: agent.id, name: 'Clerk' });
    return access.companyIds?.toSorted();
  };
  expect([await accessibleCompanies(wide.key), await accessibleCompanies(restricted.key)]).toEqual([[companyId], []]);
  await attachAgent(context, { agent_id: agent.id, company_id: other.id });
  expect([await accessibleCompanies(wide.key), await accessibleCompanies(restricted.key)]).toEqual([
    [companyId, other.id].toSorted(),
    [other.id],
  ]);
  await pauseAgent(context, { agent_id: agent.id, company_id: companyId });
  expect(await accessibleCompanies(wide.key)).toEqual([companyId, other.id].toSorted());
  await detachAgent(context, { agent_id: agent.id, company_id: companyId });
  expect(await accessibleCompanies(wide.key)).toEqual([other.id]);
});

test('a key of scope agent from before agents existed accesses nothing', async () => {
  const agent = await createAgent(fixture.context, {
    name: 'Gone',
    provider: 'example',
    company_id: fixture.companyId,
  });
  const newKey = await createApiKey(fixture.context, { name: 'Old', scope: 'agent', agent_id: agent.id });
  await fixture.core.database.query('UPDATE api_key SET agent_id = NULL WHERE id = $1', [newKey.id]);
  expect((await authenticator.authenticate(newKey.key, '::1')).access.companyIds).toEqual([]);
});

test('a rotated key works until the overlap ends, to the millisecond, and its replacement continues to work', async () => {
  const newKey = await createApiKey(fixture.context, { name: 'Turn', scope: 'human' });
  await authenticator.authenticate(newKey.key, '::1');
  const replacement = await rotateApiKey(fixture.context, { key_id: newKey.id, overlap_seconds: 60 });
  const end = clock.now().getTime() + 60_000;
  clock.set(new Date(end - 1));
  await authenticator.authenticate(newKey.key, '::1');
  clock.set(new Date(end));
  await expect(authenticator.authenticate(newKey.key, '::1')).rejects.toSatisfy(rejected('revoked_api_key'));
  await authenticator.authenticate(replacement.key, '::1');
});

// Risk: a session outlives its key or its lifetime, a link works twice, or a stolen database opens sessions.
import type { Scope, Session } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { listApiKeys } from '../accounts/api-keys/read.ts';
import { revokeApiKey } from '../accounts/api-keys/revoke.ts';
import { rotateApiKey } from '../accounts/api-keys/rotate.ts';
import { type Authenticator, createAuthenticator } from '../accounts/authenticate.ts';
import { callerContext } from '../accounts/known-key.ts';
import { createAgent } from '../agents/create.ts';
import { createCompany } from '../companies/create.ts';
import { createSessionAuthenticator, type SessionAuthenticator } from './authenticate-session.ts';
import { getSessionState, listSessions } from './list.ts';
import { createSignInLink, openSession, openSessionByLink } from './open-session.ts';
import { endSession, purgeSessions, revokeSession } from './revoke.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const IP = '203.0.113.1';
const ended = { code: 'session_ended', status: 401 };

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let keys: Authenticator;
let sessions: SessionAuthenticator;
beforeEach(() => {
  keys = createAuthenticator(fixture.core);
  sessions = createSessionAuthenticator(fixture.core, keys);
});

type Wish = Partial<Parameters<typeof createApiKey>[1]>;

/** A new key and the context of a request with it. */
async function callerOf(wish: Wish & { scope?: Scope } = {}): Promise<{ caller: Context; keyId: string; key: string }> {
  const { id, key } = await createApiKey(fixture.context, { name: 'Person', scope: 'human', ...wish });
  const principal = await keys.authenticate(key, IP);
  return { caller: callerContext(fixture.core, principal, { request: { id: 'req_x', ip: IP } }), keyId: id, key };
}

async function signIn(wish: Wish = {}) {
  const { caller, ...newKey } = await callerOf(wish);
  const { token, context } = await openSession(caller, 'Browser/1');
  return { token, context, ...newKey, sessionId: context.sessionId ?? '' };
}

async function find(id: string): Promise<Session | undefined> {
  const { data } = await listSessions(fixture.context, { limit: 200, order: 'desc' });
  return data.find((session) => session.id === id);
}

const auditsOf = (id: string) => readAudits(fixture.context, { resource_id: id }, 'action', 'actor', 'ip', 'after');

test('a session acts as its key, with its restrictions, and is recorded with where it came from', async () => {
  const { companyId } = fixture;
  const { token, keyId, context, sessionId } = await signIn({ company_ids: [companyId], permissions: ['cash:write'] });
  const { principal, sessionId: id } = await sessions.authenticate(token, IP);
  expect([id, principal]).toEqual([
    sessionId,
    {
      keyId,
      originId: keyId,
      personId: context.personId,
      accountId: fixture.context.accountId,
      scope: 'human',
      access: { companyIds: [companyId], permissions: ['cash:write'] },
      actor: { type: 'api_key', id: keyId, name: 'Person' },
    },
  ]);
  const now = clock.now();
  const expires_at = new Date(now.getTime() + DAY).toISOString();
  expect(await getSessionState(context)).toEqual({
    object: 'session',
    id,
    role: 'member',
    account: { id: fixture.context.accountId, name: 'Acme', mode: 'test' },
    api_key: { id: keyId, name: 'Person', scope: 'human', company_ids: [companyId], permissions: ['cash:write'] },
    created_at: now.toISOString(),
    expires_at,
  });
  const record = await find(id);
  expect(record).toMatchObject({ key_id: keyId, ip: IP, user_agent: 'Browser/1', current: false, status: 'active' });
  expect(await auditsOf(id)).toEqual([
    {
      action: 'sessions.open',
      actor: { type: 'api_key', id: keyId, name: 'Person' },
      ip: IP,
      after: { ...record, current: true },
    },
  ]);
});

test('the role follows from the key: owner, member where it is restricted, viewer where it only reads', async () => {
  const roleOf = async (wish: Wish) => (await find((await signIn(wish)).sessionId))?.role;
  expect(await roleOf({})).toBe('owner');
  expect(await roleOf({ ip_allowlist: [IP] })).toBe('owner');
  expect(await roleOf({ permissions: ['cash:write'] })).toBe('member');
  expect(await roleOf({ company_ids: [fixture.companyId] })).toBe('member');
  expect(await roleOf({ scope: 'read', company_ids: [fixture.companyId] })).toBe('viewer');
});

test('the key of an agent opens no session, by no way', async () => {
  const agent = await createAgent(fixture.context, { name: 'Clerk', provider: 'x', company_id: fixture.companyId });
  const { caller, key } = await callerOf({ scope: 'agent', agent_id: agent.id });
  const rejection = { code: 'insufficient_scope', status: 403 };
  await expect(openSession(caller, undefined)).rejects.toMatchObject(rejection);
  await expect(createSignInLink(fixture.core, key)).rejects.toMatchObject(rejection);
});

test('a key has so many open sessions; a sign-in beyond ends the one used least recently, of no other key', async () => {
  const set = (quota: number | null) =>
    fixture.core.database.query(
      "UPDATE account SET quotas = jsonb_strip_nulls(quotas || jsonb_build_object('sessions', $2::int)) WHERE id = $1",
      [fixture.context.accountId, quota],
    );
  const { caller } = await callerOf();
  const other = await signIn();
  await set(2);
  const open = async (by = caller) => {
    clock.advance(MINUTE);
    return openSession(by, undefined);
  };
  const [first, second] = [await open(), await open()];
  clock.advance(2 * MINUTE);
  await sessions.authenticate(first.token, IP);
  await sessions.flush();
  const third = await open();
  const statusOf = async (session: { context: Context }) => (await find(session.context.sessionId ?? ''))?.status;
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual(['active', 'ended', 'active']);
  await expect(sessions.authenticate(second.token, IP)).rejects.toMatchObject(ended);
  expect(await auditsOf(second.context.sessionId ?? '')).toMatchObject([
    { action: 'sessions.open' },
    { action: 'sessions.end', after: { ended: [second.context.sessionId], reason: 'session_limit' } },
  ]);
  const { caller: busy } = await callerOf();
  const more = await Promise.all(Array.from({ length: 8 }, () => openSession(busy, undefined)));
  expect((await Promise.all(more.map(statusOf))).filter((status) => status === 'active')).toHaveLength(2);
  await set(0);
  const last = await open(busy);
  expect((await Promise.all([...more, last].map(statusOf))).filter((status) => status === 'active')).toHaveLength(1);
  expect([await statusOf(last), (await find(other.sessionId))?.status]).toEqual(['active', 'active']);
  await set(null);
});

test('without a quota of the operator a key has at most 50 open sessions', async () => {
  const { caller, keyId } = await callerOf();
  for (let i = 0; i < 52; i++) await openSession(caller, undefined);
  const { data } = await listSessions(fixture.context, { limit: 200, order: 'desc' });
  const open = data.filter(({ key_id, status }) => key_id === keyId && status === 'active');
  expect(open).toHaveLength(50);
});

test('neither a session nor a link is stored in plain text, and stored values open nothing', async () => {
  const { token, key } = await signIn();
  const link = await createSignInLink(fixture.core, key);
  const { query } = fixture.core.database;
  const rows = JSON.stringify([
    await query('SELECT s::text FROM session s'),
    await query('SELECT l::text FROM sign_in_link l'),
    await query('SELECT a::text FROM audit_log a'),
  ]);
  for (const secret of [token, link]) expect(rows).not.toContain(secret);
  const [row] = await query<{ hash: Buffer }>('SELECT hash FROM session ORDER BY id DESC LIMIT 1');
  await expect(sessions.authenticate(row?.hash.toString('base64url') ?? '', IP)).rejects.toMatchObject(ended);
});

test.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(43)}=`, "' OR 1=1 --"])(
  'the token %j opens nothing and differs from an ended one',
  async (token) => {
    await expect(sessions.authenticate(token, IP)).rejects.toMatchObject({ ...ended, isKnown: false });
  },
);

test('a session ends with its key within a second in every process: revoked, expired or rotated', async () => {
  const processes = [sessions, createSessionAuthenticator(fixture.core, createAuthenticator(fixture.core))];
  const end = [
    async ({ keyId }: { keyId: string }) => void (await revokeApiKey(fixture.context, { key_id: keyId })),
    async ({ keyId }: { keyId: string }) =>
      void (await rotateApiKey(fixture.context, { key_id: keyId, overlap_seconds: 0 })),
    async () => clock.advance(DAY),
  ];
  for (const endIt of end) {
    const opened = await signIn({ expires_in_days: 1 });
    for (const each of processes) await each.authenticate(opened.token, IP);
    await endIt(opened);
    clock.advance(1_000);
    for (const each of processes) {
      await expect(each.authenticate(opened.token, IP)).rejects.toMatchObject({ ...ended, isKnown: true });
    }
    expect(await find(opened.sessionId)).toMatchObject({ status: 'ended', ended_at: expect.any(String) });
  }
});

test('a session works from the addresses of its key only', async () => {
  const { token, keyId } = await signIn({ ip_allowlist: ['203.0.113.0/24'] });
  await sessions.authenticate(token, '203.0.113.9');
  await expect(sessions.authenticate(token, '198.51.100.1')).rejects.toMatchObject({
    ...ended,
    message: expect.stringContaining('address'),
    cause: { code: 'ip_not_allowed', principal: { keyId } },
  });
  await sessions.authenticate(token, '203.0.113.9');
});

test('a session ends a day after its last use, and after thirty days whatever its use', async () => {
  const { token, sessionId } = await signIn();
  const opened = clock.now().getTime();
  const use = async () => {
    await sessions.authenticate(token, IP);
    await sessions.flush();
  };
  for (let day = 0; day < 31; day++) {
    clock.advance(DAY - HOUR);
    await use();
  }
  const lastUse = clock.now().getTime();
  expect((await find(sessionId))?.expires_at).toBe(new Date(Math.min(opened + 30 * DAY, lastUse + DAY)).toISOString());
  clock.set(new Date(opened + 30 * DAY - 1));
  await use();
  clock.set(new Date(opened + 30 * DAY));
  await expect(use()).rejects.toMatchObject(ended);
  expect(await find(sessionId)).toMatchObject({
    status: 'ended',
    ended_at: new Date(opened + 30 * DAY).toISOString(),
  });

  const idle = await signIn();
  clock.advance(DAY - 1);
  await sessions.authenticate(idle.token, IP);
  clock.advance(1);
  await expect(sessions.authenticate(idle.token, IP)).rejects.toMatchObject(ended);
});

test('the last use of a session and of its key is noted in the background, at most once a minute', async () => {
  const { token, sessionId, keyId } = await signIn();
  const seen = async () => {
    await sessions.authenticate(token, IP);
    await Promise.all([sessions.flush(), keys.flush()]);
    const { data } = await listApiKeys(fixture.context, { limit: 200, order: 'desc' });
    return [(await find(sessionId))?.last_seen_at, data.find(({ id }) => id === keyId)?.last_used_at];
  };
  const first = clock.now().toISOString();
  clock.advance(30_000);
  expect((await seen())[0]).toBe(first);
  clock.advance(31_000);
  const later = clock.now().toISOString();
  expect(await seen()).toEqual([later, expect.any(String)]);
});

test('signing out ends one session, everywhere each of the key and none of another key', async () => {
  const one = await signIn();
  const two = await openSession(one.context, undefined);
  const other = await signIn();
  await endSession(two.context, false);
  clock.advance(1_000);
  await sessions.authenticate(one.token, IP);
  await expect(sessions.authenticate(two.token, IP)).rejects.toMatchObject(ended);
  const three = await openSession(one.context, undefined);
  await endSession(three.context, true);
  clock.advance(1_000);
  for (const { token } of [one, three]) await expect(sessions.authenticate(token, IP)).rejects.toMatchObject(ended);
  await sessions.authenticate(other.token, IP);
  expect(await auditsOf(three.context.sessionId ?? '')).toMatchObject([
    { action: 'sessions.open' },
    { action: 'sessions.end', after: { everywhere: true, ended: expect.arrayContaining([one.sessionId]) } },
  ]);
});

test('a revoked session ends within a second; a second revocation changes and emits nothing', async () => {
  const { token, sessionId } = await signIn();
  await sessions.authenticate(token, IP);
  const revoked = await revokeSession(fixture.context, { session_id: sessionId });
  expect(revoked).toMatchObject({ status: 'ended', ended_at: clock.now().toISOString() });
  clock.advance(1_000);
  await expect(sessions.authenticate(token, IP)).rejects.toMatchObject(ended);
  expect(await revokeSession(fixture.context, { session_id: sessionId })).toEqual(revoked);
  expect(await auditsOf(sessionId)).toHaveLength(2);
});

test('a restricted key sees and ends sessions that reach no further than itself; another account none', async () => {
  const second = await createCompany(fixture.context, { name: 'Second' });
  const wide = await signIn();
  const near = await signIn({ company_ids: [fixture.companyId] });
  const far = await signIn({ company_ids: [second.id] });
  const { caller } = await callerOf({ company_ids: [fixture.companyId] });
  const seen = (await listSessions(caller, { limit: 200, order: 'desc' })).data.map(({ id }) => id);
  expect([near, wide, far].map(({ sessionId }) => seen.includes(sessionId))).toEqual([true, false, false]);
  const { context: stranger } = await fixture.otherAccount();
  expect((await listSessions(stranger, { limit: 200, order: 'desc' })).data).toEqual([]);
  for (const [context, { sessionId }] of [
    [caller, wide],
    [caller, far],
    [stranger, near],
  ] as const) {
    await expect(revokeSession(context, { session_id: sessionId })).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a key ends no session of one that may do more than itself', async () => {
  const [wide, same] = [await signIn(), await signIn({ permissions: ['keys:write'] })];
  const caller: Context = { ...fixture.context, access: { permissions: ['keys:write'] } };
  await expect(revokeSession(caller, { session_id: wide.sessionId })).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
  expect(await auditsOf(wide.sessionId)).toHaveLength(1);
  const viewer = await signIn({ scope: 'read' });
  for (const { sessionId: session_id } of [same, viewer])
    expect(await revokeSession(caller, { session_id })).toMatchObject({ status: 'ended' });
});

test('the list is filtered by status, as the records say it, and by key', async () => {
  const [on, off] = [await signIn({ expires_in_days: 2 }), await signIn()];
  await endSession(off.context, false);
  const idsOf = async (filter: object) =>
    (await listSessions(fixture.context, { limit: 200, order: 'desc', ...filter })).data;
  const [active, over, all] = [await idsOf({ status: 'active' }), await idsOf({ status: 'ended' }), await idsOf({})];
  expect(active.every(({ status }) => status === 'active')).toBe(true);
  expect(over.every(({ status }) => status === 'ended')).toBe(true);
  expect(active.length + over.length).toBe(all.length);
  expect(active.map(({ id }) => id)).toContain(on.sessionId);
  expect((await idsOf({ key_id: off.keyId })).map(({ id }) => id)).toEqual([off.sessionId]);
});

test('a link signs in once, also when it is opened twice at the same moment, and for 24 hours', async () => {
  const { key, keyId } = await callerOf();
  const visit = (link: string, ip = IP) =>
    openSessionByLink(fixture.core, sessions, { link, userAgent: undefined, request: { id: 'req_l', ip } });
  const gone = { code: 'not_found' };
  const link = await createSignInLink(fixture.core, key);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => visit(link)));
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(opened).toHaveLength(1);
  expect((await sessions.authenticate(opened[0]?.token ?? '', IP)).principal.keyId).toBe(keyId);
  await expect(visit(link)).rejects.toMatchObject(gone);

  const [late, soon] = [await createSignInLink(fixture.core, key), await createSignInLink(fixture.core, key)];
  clock.advance(DAY - 1);
  await visit(soon);
  clock.advance(1);
  await expect(visit(late)).rejects.toMatchObject(gone);
  for (const wrong of ['', 'x', 'a'.repeat(43), opened[0]?.token ?? ''])
    await expect(visit(wrong)).rejects.toMatchObject(gone);
});

test('a link is of no use once its key has ended, or from another address', async () => {
  const { key, keyId } = await callerOf({ ip_allowlist: [IP] });
  const link = await createSignInLink(fixture.core, key);
  const visit = (ip: string) =>
    openSessionByLink(fixture.core, sessions, { link, userAgent: undefined, request: { id: 'req_l', ip } });
  await expect(visit('198.51.100.1')).rejects.toMatchObject({ code: 'ip_not_allowed' });
  await revokeApiKey(fixture.context, { key_id: keyId });
  await expect(visit(IP)).rejects.toMatchObject({ code: 'revoked_api_key' });
  await expect(createSignInLink(fixture.core, key)).rejects.toMatchObject({ code: 'revoked_api_key' });
});

test('sessions that ended ninety days ago and expired links are deleted, and no others', async () => {
  const { sessionId, key } = await signIn();
  await createSignInLink(fixture.core, key);
  clock.advance(91 * DAY);
  const fresh = await signIn();
  await createSignInLink(fixture.core, fresh.key);
  await purgeSessions(fixture.core);
  const left = () => fixture.core.database.query('SELECT FROM sign_in_link');
  expect([await find(sessionId), await left()]).toEqual([expect.objectContaining({ status: 'ended' }), [{}]]);
  clock.advance(1);
  expect(await purgeSessions(fixture.core)).toBeGreaterThan(0);
  expect([await find(sessionId), await find(fresh.sessionId)]).toEqual([
    undefined,
    expect.objectContaining({ status: 'active' }),
  ]);
});

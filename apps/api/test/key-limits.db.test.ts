// Risk: a key that was bound to permissions or addresses is used beyond them, or its misuse leaves no trace.
import { type Operation, operationList, operations, type Permission } from '@finhook/contracts';
import { expect, test, vi } from 'vitest';
import { toRestRequest } from './api-client.ts';
import { type ApiFixture, type FixtureOptions, pathNames } from './api-fixture.ts';
import { untilRejected } from './until-rejected.ts';
import { useApis } from './use-apis.ts';

const openApi = useApis();
let fixture: ApiFixture;

async function open(options?: FixtureOptions): Promise<ApiFixture> {
  fixture = await openApi(options);
  return fixture;
}

/** The rows of rejected requests, once there are as many. */
function denialsOf(count: number, actorId?: string) {
  return vi.waitFor(
    async () => {
      const filter = actorId === undefined ? {} : { actor_id: actorId };
      const { body } = await fixture.client.rest(operations.activity.list, { action: 'access.denied', ...filter });
      expect(body.data).toHaveLength(count);
      return body.data;
    },
    { timeout: 5_000, interval: 50 },
  );
}

async function callBroken(operation: Operation, key: string, protocol: 'rest' | 'trpc') {
  const nowhere = Object.fromEntries(pathNames(operation).map((name) => [name, 'nowhere']));
  const isQuery = operation.http.method === 'GET';
  if (protocol === 'trpc') return fixture.client.trpc(operation, nowhere, { key, ...(isQuery ? {} : { raw: '{' }) });
  const { target } = toRestRequest(operation, nowhere);
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(operation.http.method);
  return fixture.client.send(operation.http.method, target, { key, ...(hasBody ? { raw: '{' } : {}) });
}

test('S6: a permission is asked for before the body is read and before an id is looked at, over both protocols', async () => {
  const { client, keyOf } = await open();
  const permissions: Permission[] = ['cash:write', 'keys:write'];
  const key = await keyOf('human', { permissions });
  for (const operation of operationList) {
    const { permission } = operation;
    const isLetIn = permission === undefined || permissions.includes(permission);
    if (!operation.scopes.includes('human')) continue;
    for (const protocol of ['rest', 'trpc'] as const) {
      const { status, problem, text } = await callBroken(operation, key, protocol);
      expect(status === 403, `${protocol} ${operation.id}: ${text}`).toBe(!isLetIn);
      if (isLetIn) continue;
      expect(problem).toMatchObject({ code: 'insufficient_scope', required_permission: permission, permissions });
      expect(problem.detail).toContain(permission);
    }
  }
  const { upsert } = operations.cash.balances;
  const posted = await client.rest(upsert, { company_id: fixture.companyId, ...upsert.example }, { key });
  expect(posted.status).toBe(201);
});

test('S6: S28: a body that cannot be read hides no rejection of a key, over both protocols, nor its row in the audit log', async () => {
  const { client, keyOf } = await open();
  const key = await keyOf('read');
  for (const protocol of ['rest', 'trpc'] as const) {
    const { status, problem } = await callBroken(operations.companies.create, key, protocol);
    expect([protocol, status, problem.code]).toEqual([protocol, 403, 'insufficient_scope']);
  }
  await vi.waitFor(
    async () => {
      const { data } = (await client.rest(operations.activity.list, { action: 'access.denied' })).body;
      expect(data.reduce((sum, { after }) => sum + Number(Reflect.get(Object(after), 'count')), 0)).toBe(2);
    },
    { timeout: 5_000, interval: 50 },
  );
});

test('S8: over REST a key mints and rotates at most what it is', async () => {
  const { client, keyOf } = await open();
  const key = await keyOf('human', { permissions: ['keys:write'], ip_allowlist: ['127.0.0.0/8'] });
  const { create, rotate, get } = operations.apiKeys;
  const more = { name: 'More', scope: 'human', permissions: ['cash:write'], ip_allowlist: ['0.0.0.0/0'] };
  const rejected = await client.rest(create, more, { key });
  expect([rejected.status, rejected.problem.errors?.map(({ pointer, code }) => [pointer, code])]).toEqual([
    422,
    [
      ['/permissions/0', 'authority_exceeded'],
      ['/ip_allowlist/0', 'authority_exceeded'],
    ],
  ]);
  const minted = await client.rest(create, { name: 'Same', scope: 'human' }, { key });
  expect(minted.body).toMatchObject({ permissions: ['keys:write'], ip_allowlist: ['127.0.0.0/8'] });
  const me = (await client.rest(operations.me.get, {}, { key: fixture.apiKey })).body.api_key.id;
  const climb = await client.rest(rotate, { key_id: me }, { key });
  expect([climb.status, climb.problem.code]).toEqual([403, 'insufficient_scope']);

  const headers = { 'idempotency-key': 'turn' };
  const turned = await client.rest(rotate, { key_id: minted.body.id }, { key, headers });
  expect(turned.status).toBe(201);
  expect((await client.rest(rotate, { key_id: minted.body.id }, { key, headers })).text).toBe(turned.text);
  const { body } = await client.rest(get, { key_id: minted.body.id }, { key: turned.body.key });
  expect([body.rotated_to, body.status]).toEqual([turned.body.id, 'active']);
});

test('S13: a key that is rotated without an overlap stops within a second in two processes', async () => {
  const { client } = await open();
  const second = await fixture.openSecondApi();
  const made = await client.rest(operations.apiKeys.create, { name: 'Turn', scope: 'read' });
  const { key, id: key_id } = made.body;
  for (const one of [client, second]) expect((await one.rest(operations.me.get, {}, { key })).status).toBe(200);
  const turned = await client.rest(operations.apiKeys.rotate, { key_id, overlap_seconds: 0 });
  await Promise.all(
    [client, second].map(async (one) => {
      const response = await untilRejected(() => one.rest(operations.me.get, {}, { key }));
      expect([response.status, response.problem.code]).toEqual([401, 'revoked_api_key']);
      expect((await one.rest(operations.me.get, {}, { key: turned.body.key })).status).toBe(200);
    }),
  );
});

const from = (address: string) => ({ 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address });

test('S15: without a trusted proxy only the socket’s peer counts: a forged header opens nothing', async () => {
  const { client, keyOf } = await open();
  const elsewhere = await keyOf('read', { ip_allowlist: ['203.0.113.0/24'] });
  const here = await keyOf('read', { ip_allowlist: ['127.0.0.1'] });
  for (const path of ['/api/v1/me', '/trpc/me.get']) {
    for (const headers of [{}, from('203.0.113.7'), from('127.0.0.1')]) {
      const rejected = await client.send('GET', path, { key: elsewhere, headers });
      expect(rejected.status).toBe(403);
      expect(rejected.text).toContain('"code":"ip_not_allowed"');
      expect((await client.send('GET', path, { key: here, headers })).status).toBe(200);
    }
  }
});

test('S15: S16: behind a trusted proxy the address that it saw counts, and what the client claims before it does not', async () => {
  const { client, keyOf } = await open({
    trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'],
    rateLimits: { failedAuth: 5 },
  });
  const key = await keyOf('read', { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
  const statusOf = async (chain: string) =>
    (await client.send('GET', '/api/v1/me', { key, headers: { 'x-forwarded-for': chain } })).status;
  for (const chain of ['203.0.113.7', '203.0.113.7, 10.1.2.3', '198.51.100.1, 203.0.113.7', '2001:db8::9'])
    expect([chain, await statusOf(chain)]).toEqual([chain, 200]);
  for (const chain of ['198.51.100.1', '203.0.113.7, 198.51.100.1', '203.0.113.7, 198.51.100.1, 10.1.2.3', 'unknown'])
    expect([chain, await statusOf(chain)]).toEqual([chain, 403]);

  // Whoever fails too often is turned away by address: others, and the key itself from where it may, are not.
  while ((await statusOf('198.51.100.1')) === 403);
  expect(await statusOf('198.51.100.1')).toBe(429);
  expect([await statusOf('203.0.113.7'), await statusOf('198.51.100.2')]).toEqual([200, 403]);
});

test('S15: S16: a port beside an address that a trusted proxy saw is no part of it', async () => {
  const { client, keyOf } = await open({
    trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'],
    rateLimits: { failedAuth: 3 },
  });
  const key = await keyOf('read', { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
  const statusOf = async (chain: string) =>
    (await client.send('GET', '/api/v1/me', { key, headers: { 'x-forwarded-for': chain } })).status;
  const seen = ['203.0.113.9:51234', '203.0.113.9:51234, 10.1.2.3:443', '[2001:db8::1]:443', '[2001:db8::1]'];
  for (const chain of seen) expect([chain, await statusOf(chain)]).toEqual([chain, 200]);
  for (const chain of ['198.51.100.1:1', '203.0.113.9:1, 198.51.100.1:2', '198.51.100.1'])
    expect([chain, await statusOf(chain)]).toEqual([chain, 403]);
  expect(await statusOf('198.51.100.1:4')).toBe(429);
});

test('S28: a 403 and a failed authentication of a known key are in the audit log; an unknown key is in the service’s', async () => {
  const { client, keyOf, logLines } = await open();
  const { apiKeys, cash, me } = operations;
  const mint = async () => (await client.rest(apiKeys.create, { name: 'Lost', scope: 'read' })).body;
  const [revoked, expired] = [await mint(), await mint()];
  await client.rest(apiKeys.revoke, { key_id: revoked.id });
  await fixture.elsewhere.database.query("UPDATE api_key SET expires_at = now() - interval '1 s' WHERE id = $1", [
    expired.id,
  ]);
  const read = await keyOf('read');
  const bound = await keyOf('read', { ip_allowlist: ['203.0.113.0/24'] });
  const input = { company_id: fixture.companyId, ...cash.balances.upsert.example };
  const rejected = [
    await client.rest(me.get, {}, { key: revoked.key }),
    await client.trpc(me.get, {}, { key: expired.key }),
    await client.rest(cash.balances.upsert, input, { key: read }),
    await client.rest(cash.onHand, { company_id: fixture.companyId }, { key: bound }),
  ];
  expect(rejected.map(({ status }) => status)).toEqual([401, 401, 403, 403]);
  const rows = await denialsOf(4);
  const told = (operation: string, code: string) => ({ operation, code, count: 1 });
  expect(rows.map(({ request_id, after }) => [request_id, after]).sort()).toEqual(
    rejected
      .map(({ headers }, i) => [
        headers['x-request-id'],
        [
          told('me.get', 'revoked_api_key'),
          told('me.get', 'expired_api_key'),
          told('cash.balances.upsert', 'insufficient_scope'),
          told('cash.onHand', 'ip_not_allowed'),
        ][i],
      ])
      .sort(),
  );
  expect(rows.find(({ actor }) => actor.id === revoked.id)).toMatchObject({
    resource_id: revoked.id,
    actor: { type: 'api_key', name: 'Lost' },
    ip: '127.0.0.1',
    events: [],
  });

  const unknown = `${fixture.apiKey.slice(0, -1)}${fixture.apiKey.endsWith('0') ? '1' : '0'}`;
  await client.rest(me.get, {}, { key: unknown });
  const [line, ...more] = logLines.filter(
    (text) => text.includes('"level":"warn"') && text.includes('invalid_api_key'),
  );
  expect([line, more]).toEqual([expect.stringContaining('"ip":"127.0.0.1"'), []]);
  expect(logLines.join('\n')).not.toContain(unknown.slice(8));
});

test('S28: a flood of rejected requests is bounded to a row a second, and none of them waits for it', async () => {
  const { client, keyOf } = await open();
  const key = await keyOf('read');
  const began = performance.now();
  for (let i = 0; i < 100; i++) await client.rest(operations.companies.create, { name: 'X' }, { key });
  const seconds = Math.ceil((performance.now() - began) / 1_000);
  await vi.waitFor(
    async () => {
      const { data } = (await client.rest(operations.activity.list, { action: 'access.denied' })).body;
      const counts = data.map(({ after }) => Number(Reflect.get(Object(after), 'count')));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100);
      expect(counts.length).toBeLessThanOrEqual(seconds + 1);
    },
    { timeout: 5_000, interval: 100 },
  );
});

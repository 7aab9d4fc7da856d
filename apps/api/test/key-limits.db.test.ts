// Risk: a key is used beyond its permissions or addresses, or its misuse leaves no trace.
import { operations } from '@finhook/contracts';
import { expect, test, vi } from 'vitest';
import { type ApiFixture, type FixtureOptions, useApi } from './api-fixture.ts';

const base = useApi();
let fixture: ApiFixture;

async function open(options?: FixtureOptions): Promise<ApiFixture> {
  fixture = await base.openBeside(options);
  return fixture;
}

/** The rows of denials, once there are this many. */
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

const from = (address: string) => ({ 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address });

test('without a trusted proxy only the socket’s peer counts: a forged header has no effect', async () => {
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

test('behind a trusted proxy the address that the proxy saw counts, not what the client claims', async () => {
  const { client, keyOf } = await open({
    trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'],
    rateLimits: { failedAuth: 10 },
  });
  const key = await keyOf('read', { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
  const statusOf = async (chain: string) =>
    (await client.send('GET', '/api/v1/me', { key, headers: { 'x-forwarded-for': chain } })).status;
  const within = ['203.0.113.7', '203.0.113.7, 10.1.2.3', '198.51.100.1, 203.0.113.7', '2001:db8::9'];
  const elsewhere = ['198.51.100.1', '203.0.113.7, 198.51.100.1', '203.0.113.7, 198.51.100.1, 10.1.2.3', 'unknown'];
  // The port is removed.
  const withPort = ['203.0.113.9:51234', '203.0.113.9:51234, 10.1.2.3:443', '[2001:db8::1]:443', '[2001:db8::1]'];
  for (const chain of [...within, ...withPort]) expect([chain, await statusOf(chain)]).toEqual([chain, 200]);
  for (const chain of [...elsewhere, '203.0.113.9:1, 198.51.100.1:2'])
    expect([chain, await statusOf(chain)]).toEqual([chain, 403]);

  // Failures throttle the address; other addresses still work, also with this key.
  while ((await statusOf('198.51.100.1')) === 403);
  expect(await statusOf('198.51.100.1')).toBe(429);
  expect([await statusOf('203.0.113.7'), await statusOf('198.51.100.2')]).toEqual([200, 403]);
});

test('denials and failures of a known key are in the audit log, those of an unknown key in the log of the service', async () => {
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

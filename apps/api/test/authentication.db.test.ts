// Risk: someone without a valid key gets in, or a key does more than it was minted for.
import { operations } from '@finhook/contracts';
import { describe, expect, inject, test } from 'vitest';
import type { SendOptions } from './api-client.ts';
import { countRows, openApiFixture, useApi } from './api-fixture.ts';
import { untilRejected } from './until-rejected.ts';

const REALM = 'Bearer realm="finhook"';

const fixture = useApi();

const me = (options: SendOptions, query = '') =>
  fixture.client.send('GET', `/api/v1/me${query}`, { key: null, ...options });
const withHeader = (authorization: string | string[]): SendOptions => ({ headers: { Authorization: authorization } });

describe('S4: no way in but one Authorization: Bearer header', () => {
  test('D-7: what is no bearer key is 401 missing_credentials with WWW-Authenticate', async () => {
    const { apiKey } = fixture;
    const basic = Buffer.from(`${apiKey}:`).toString('base64');
    const attempts: SendOptions[] = [
      {},
      withHeader(''),
      withHeader('   '),
      withHeader('Bearer'),
      withHeader('Bearer '),
      withHeader(`Basic ${basic}`),
      withHeader(apiKey),
      withHeader(`Token ${apiKey}`),
      withHeader(`Bearer ${apiKey} ${apiKey}`),
      withHeader(`Bearer ${apiKey},Bearer ${apiKey}`),
      withHeader([`Bearer ${apiKey}`, `Bearer ${apiKey}`]),
      withHeader([`Bearer ${apiKey}`, `Basic ${basic}`]),
      { headers: { 'x-api-key': apiKey } },
      { headers: { cookie: `api_key=${apiKey}; authorization=Bearer ${apiKey}` } },
    ];
    for (const attempt of attempts) {
      for (const path of ['/api/v1/me', '/trpc/me.get']) {
        const response = await fixture.client.send('GET', path, { key: null, ...attempt });
        expect([attempt, response.status, response.headers['www-authenticate']]).toEqual([attempt, 401, REALM]);
        expect(response.text).toContain('"code":"missing_credentials"');
        expect(response.text).not.toContain(apiKey);
      }
    }
  });

  test('a key in the URL is never looked at', async () => {
    for (const name of ['api_key', 'key', 'access_token', 'token', 'authorization']) {
      expect((await me({}, `?${name}=${fixture.apiKey}`)).status).toBe(401);
    }
    expect(
      (await me({ headers: { authorization: `Bearer ${fixture.apiKey}` } }, `?api_key=${fixture.apiKey}`)).status,
    ).toBe(400);
  });

  test('the scheme is read in any case, the key byte by byte', async () => {
    expect((await me(withHeader(`bearer ${fixture.apiKey}`))).status).toBe(200);
    expect((await me(withHeader(`BEARER  ${fixture.apiKey}`))).status).toBe(200);
    const { apiKey } = fixture;
    const swapped =
      apiKey.slice(0, 8) +
      apiKey.slice(8).replace(/[a-zA-Z]/, (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()));
    for (const key of [
      swapped,
      apiKey.slice(0, -1),
      `${apiKey}x`,
      apiKey.replace('live', 'test'),
      'sk_live_',
      'x'.repeat(10_000),
    ]) {
      const response = await me(withHeader(`Bearer ${key}`));
      expect([response.status, response.problem.code, response.headers['www-authenticate']]).toEqual([
        401,
        'invalid_api_key',
        `${REALM}, error="invalid_token", error_description="The API key is invalid"`,
      ]);
    }
  });
});

test('S8: only a human key mints keys, and a minted key does what its own scope allows', async () => {
  for (const scope of ['read', 'agent'] as const) {
    const key = await fixture.keyOf(scope);
    for (const wanted of ['human', 'agent', 'read'] as const) {
      const response = await fixture.client.rest(operations.apiKeys.create, { name: 'Climb', scope: wanted }, { key });
      expect([response.status, response.problem.code]).toEqual([403, 'insufficient_scope']);
    }
    expect((await fixture.client.rest(operations.me.get, {}, { key })).body.api_key.scope).toBe(scope);
    expect((await fixture.client.rest(operations.companies.create, { name: 'X' }, { key })).status).toBe(403);
  }
  const human = await fixture.keyOf('human');
  expect((await fixture.client.rest(operations.companies.create, { name: 'X' }, { key: human })).status).toBe(201);
  const unknown = await fixture.client.rest(operations.apiKeys.create, { name: 'Root', scope: 'admin' });
  expect(unknown.problem.errors).toMatchObject([{ pointer: '/scope', code: 'enum_unknown' }]);
});

test('S7: an agent key reads neither keys nor webhook secrets, and acts under the name of its agent', async () => {
  const key = await fixture.keyOf('agent');
  expect((await fixture.client.rest(operations.me.get, {}, { key })).body.api_key).toMatchObject({
    scope: 'agent',
    agent_id: expect.stringMatching(/^agent_/),
  });
  expect((await fixture.client.rest(operations.apiKeys.list, {}, { key })).status).toBe(403);
  const { companyId: company_id } = fixture;
  const made = await fixture.client.rest(operations.webhookEndpoints.create, {
    url: 'http://127.0.0.1:9/x',
    company_id,
  });
  const read = await fixture.client.rest(operations.webhookEndpoints.get, { endpoint_id: made.body.id }, { key });
  expect(read.status).toBe(200);
  expect(read.text).not.toContain('secret');
});

test('S13: a revoked key stops within a second, in this process and in another, and says why', async () => {
  const second = await fixture.openSecondApi();
  const made = await fixture.client.rest(operations.apiKeys.create, { name: 'Short', scope: 'human' });
  const { key, id } = made.body;
  for (const client of [fixture.client, second])
    expect((await client.rest(operations.me.get, {}, { key })).status).toBe(200);
  expect((await fixture.client.rest(operations.apiKeys.revoke, { key_id: id, reason: 'leaked' })).body.status).toBe(
    'revoked',
  );
  const clients = [fixture.client, second];
  const responses = await Promise.all(
    clients.map((client) => untilRejected(() => client.rest(operations.me.get, {}, { key }))),
  );
  for (const { status, problem, headers } of responses) {
    expect([status, problem.code, headers['www-authenticate']]).toEqual([
      401,
      'revoked_api_key',
      `${REALM}, error="invalid_token", error_description="The API key was revoked"`,
    ]);
  }
  const events = await countRows(fixture, 'event', "type = 'api_key.revoked'");
  expect((await fixture.client.rest(operations.apiKeys.revoke, { key_id: id })).body.status).toBe('revoked');
  expect(await countRows(fixture, 'event', "type = 'api_key.revoked'")).toBe(events);
});

test('S13: a key stops at the moment it expires', async () => {
  const made = await fixture.client.rest(operations.apiKeys.create, {
    name: 'Dated',
    scope: 'read',
    expires_in_days: 1,
  });
  const lifetime = Date.parse(made.body.expires_at ?? '') - Date.parse(made.body.created_at);
  expect(Math.abs(lifetime - 86_400_000)).toBeLessThan(1_000);
  await fixture.elsewhere.database.query(
    "UPDATE api_key SET expires_at = now() + interval '300 milliseconds' WHERE id = $1",
    [made.body.id],
  );
  expect((await fixture.client.rest(operations.me.get, {}, { key: made.body.key })).status).toBe(200);
  const response = await untilRejected(() => fixture.client.rest(operations.me.get, {}, { key: made.body.key }));
  expect([response.status, response.problem.code]).toEqual([401, 'expired_api_key']);
});

test('S12: a key and a webhook secret are in the response that makes them and nowhere else', async () => {
  const { client } = fixture;
  const headers = { 'idempotency-key': 'once' };
  const key = await client.rest(operations.apiKeys.create, { name: 'Secret', scope: 'human' }, { headers });
  const endpoint = await client.rest(
    operations.webhookEndpoints.create,
    { url: 'http://127.0.0.1:9/s' },
    { headers: { 'idempotency-key': 'twice' } },
  );
  const secrets = [key.body.key, endpoint.body.secret];
  expect(secrets).toEqual([
    expect.stringMatching(/^sk_live_[0-9A-Za-z]{36}$/),
    expect.stringMatching(/^whsec_.{40,}$/),
  ]);
  // The replay is the same response again: the one place that has to remember.
  expect((await client.rest(operations.apiKeys.create, { name: 'Secret', scope: 'human' }, { headers })).text).toBe(
    key.text,
  );

  const reads = await Promise.all([
    client.rest(operations.apiKeys.list),
    client.rest(operations.webhookEndpoints.list),
    client.rest(operations.webhookEndpoints.get, { endpoint_id: endpoint.body.id }),
    client.rest(operations.webhookEndpoints.update, { endpoint_id: endpoint.body.id, description: 'x' }),
    client.rest(operations.apiKeys.revoke, { key_id: key.body.id }),
    client.rest(operations.events.list),
    client.rest(operations.me.get, {}, { key: fixture.apiKey }),
  ]);
  const tables = await fixture.elsewhere.database.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const contents = await Promise.all(
    tables.map(({ name }) =>
      // Bodies of events are bytes: they are read as text, or their hex form would hide everything.
      fixture.elsewhere.database.query(name === 'event' ? 'SELECT body FROM event' : `SELECT t::text FROM "${name}" t`),
    ),
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['api_key', 'idempotency_key', 'event', 'audit_log']),
  );
  const everything = [
    ...reads.map(({ text }) => text),
    ...contents.map((rows) => JSON.stringify(rows)),
    ...fixture.logLines,
  ].join('\n');
  expect(everything).toContain(key.body.id);
  for (const secret of secrets) {
    const core = secret.replace(/^(sk_live_|whsec_)/, '');
    expect(everything).not.toContain(core);
    expect(everything).not.toContain(Buffer.from(core).toString('base64').slice(0, 30));
    expect(everything).not.toContain(Buffer.from(core).toString('hex'));
  }
});

test('S14: the last use of a key and its address are shown', async () => {
  await fixture.app.ready();
  const made = await fixture.client.rest(operations.apiKeys.create, { name: 'Used', scope: 'read' });
  expect(made.body.last_used_at).toBeNull();
  const other = await openApiFixture(inject('pgUrl'), { databaseUrl: fixture.databaseUrl });
  await other.client.rest(operations.me.get, {}, { key: made.body.key });
  // Uses are noted in the background, at the latest when the process ends.
  await other.close();
  const [used] = (await fixture.client.rest(operations.apiKeys.list)).body.data.filter(({ id }) => id === made.body.id);
  expect(used?.last_used_ip).toBe('127.0.0.1');
  expect(Math.abs(Date.now() - Date.parse(used?.last_used_at ?? ''))).toBeLessThan(10_000);
});

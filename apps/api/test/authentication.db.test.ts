// Risk: a request without a valid key is accepted, or a key exceeds its scope.
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

describe('authentication only by one Authorization: Bearer header', () => {
  test('other credentials are 401 missing_credentials with WWW-Authenticate', async () => {
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

  test('a key in the URL is ignored', async () => {
    for (const name of ['api_key', 'key', 'access_token', 'token', 'authorization']) {
      expect((await me({}, `?${name}=${fixture.apiKey}`)).status).toBe(401);
    }
    expect(
      (await me({ headers: { authorization: `Bearer ${fixture.apiKey}` } }, `?api_key=${fixture.apiKey}`)).status,
    ).toBe(400);
  });

  test('the scheme is case-insensitive, the key is not', async () => {
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

test('a revoked key is rejected with its reason, also by another process', async () => {
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

test('the last use of a key and its address are shown', async () => {
  await fixture.app.ready();
  const made = await fixture.client.rest(operations.apiKeys.create, { name: 'Used', scope: 'read' });
  expect(made.body.last_used_at).toBeNull();
  const other = await openApiFixture(inject('pgUrl'), { databaseUrl: fixture.databaseUrl });
  await other.client.rest(operations.me.get, {}, { key: made.body.key });
  // Uses are noted in the background, at the latest when the process ends.
  await other.close();
  const [used] = (await fixture.client.rest(operations.apiKeys.list)).body.data.filter(({ id }) => id === made.body.id);
  expect(used?.last_used_ip).toBe('127.0.0.1');
  expect(Date.parse(used?.last_used_at ?? '')).toBeGreaterThanOrEqual(Date.parse(made.body.created_at) - 1_000);
});

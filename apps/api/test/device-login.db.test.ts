// Risk: a login returns a key to somebody else, twice, or with more rights than its approver has.
import { deviceLoginOperations, operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { ApiResponse } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { openBrowser, own } from './sign-in.ts';

const fixture = useApi();
const { begin, poll } = deviceLoginOperations;
const codeOf = ({ status, problem }: ApiResponse) => [status, problem?.code];

interface Codes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
}

const post = <T = unknown>(path: string, body: unknown, api = fixture) =>
  api.client.send<T>('POST', `/api/v1${path}`, { key: null, body });

async function beginLogin(api = fixture): Promise<Codes> {
  const response = await post<Codes>(begin.http.path, { client_name: 'finhook on workstation' }, api);
  expect(response.status, response.text).toBe(200);
  return response.body;
}

/** Polls after the interval. */
async function pollNow({ device_code }: Codes): Promise<ApiResponse<{ key: string; id: string; person_id: string }>> {
  await fixture.elsewhere.database.query("UPDATE device_login SET polled_at = polled_at - interval '5 s'");
  return post(poll.http.path, { device_code });
}

/** The dashboard of a person who signed in with a key. */
async function openPage(api_key: string, api = fixture) {
  const { cookie, state } = await openBrowser(api.client, api_key);
  const headers = { ...own, cookie, 'x-csrf-token': state.csrf_token };
  return {
    headers,
    read: (code: string) =>
      api.client.send('GET', `/dashboard/device-login?user_code=${encodeURIComponent(code)}`, { key: null, headers }),
    decide: (verb: 'approve' | 'deny', body: object, more = headers) =>
      api.client.send('POST', `/dashboard/device-login/${verb}`, { key: null, body, headers: more }),
  };
}

const key = { name: 'finhook on workstation', scope: 'read' };

test('an approved login returns one key with the limits that the person chose', async () => {
  const page = await openPage(fixture.apiKey);
  const codes = await beginLogin();
  expect(codes).toMatchObject({
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${fixture.url}/dashboard/device`,
    verification_uri_complete: `${fixture.url}/dashboard/device?code=${codes.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect(codeOf(await pollNow(codes))).toEqual([400, 'authorization_pending']);
  expect((await page.read(codes.user_code.replace('-', '').toLowerCase())).body).toMatchObject({
    client_name: 'finhook on workstation',
    ip: '127.0.0.1',
  });
  const limits = { company_ids: [fixture.companyId], expires_in_days: 7 };
  const allowed = await page.decide('approve', { user_code: codes.user_code, ...key, ...limits });
  expect(allowed.status, allowed.text).toBe(204);
  expect(await countRows(fixture, 'api_key', 'name = $1', [key.name])).toBe(0);
  const minted = await pollNow(codes);
  expect(minted.body).toMatchObject({ ...key, company_ids: [fixture.companyId], key: expect.stringMatching(/^sk_/) });
  expect(minted.headers['cache-control']).toBe('no-store');
  const me = await fixture.client.rest(operations.me.get, {}, { key: minted.body.key });
  expect(me.body.api_key).toMatchObject({ id: minted.body.id, scope: 'read' });
  const first = await fixture.client.rest(operations.me.get);
  expect(minted.body.person_id).toBe(first.body.api_key.id);
  const log = await fixture.client.rest(operations.activity.list, {});
  expect(
    log.body.data
      .filter(({ resource_id }: { resource_id: string }) =>
        [minted.body.id, first.body.api_key.id].includes(resource_id),
      )
      .map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id]),
  ).toEqual(
    expect.arrayContaining([
      ['apiKeys.create', first.body.api_key.id],
      ['deviceLogins.approve', first.body.api_key.id],
    ]),
  );
  // The program polls again if it got no response.
  expect((await pollNow(codes)).body).toEqual(minted.body);
  expect(await countRows(fixture, 'api_key', 'name = $1', [key.name])).toBe(1);
  expect(codeOf(await page.decide('approve', { user_code: codes.user_code, ...key }))).toEqual([404, 'not_found']);
  await fixture.elsewhere.database.query("UPDATE device_login SET expires_at = now() - interval '1 s'");
  expect(codeOf(await pollNow(codes))).toEqual([400, 'expired_token']);
  const used = 'used_at IS NOT NULL AND key_id = (SELECT id FROM api_key WHERE last4 = $1)';
  expect(await countRows(fixture, 'device_login_decision', used, [fixture.apiKey.slice(-4)])).toBe(1);
});

test('two polls at the same moment get one key', async () => {
  const page = await openPage(fixture.apiKey);
  const codes = await beginLogin();
  await page.decide('approve', { user_code: codes.user_code, ...key, name: 'Once' });
  const send = () => post(poll.http.path, { device_code: codes.device_code });
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 400, 400]);
  expect(await countRows(fixture, 'api_key', 'name = $1', ['Once'])).toBe(1);
});

test('neither the codes nor the key are stored in clear', async () => {
  const page = await openPage(fixture.apiKey);
  const codes = await beginLogin();
  await page.decide('approve', { user_code: codes.user_code, ...key });
  const { body } = await pollNow(codes);
  for (const table of ['device_login', 'device_login_decision', 'api_key', 'audit_log', 'event', 'idempotency_key']) {
    for (const secret of [codes.device_code, codes.user_code, codes.user_code.replace('-', ''), body.key]) {
      expect(await countRows(fixture, `${table} t`, 'strpos(t::text, $1) > 0', [secret]), table).toBe(0);
    }
  }
});

test('a poll before the interval has passed is slow_down', async () => {
  const { device_code } = await beginLogin();
  expect(codeOf(await post(poll.http.path, { device_code }))).toEqual([400, 'authorization_pending']);
  const early = await post(poll.http.path, { device_code });
  expect([...codeOf(early), early.problem.retryable]).toEqual([400, 'slow_down', true]);
});

test('a denied login gets access_denied, and can no longer be approved', async () => {
  const page = await openPage(fixture.apiKey);
  const codes = await beginLogin();
  expect((await page.decide('deny', { user_code: codes.user_code })).status).toBe(204);
  expect(codeOf(await pollNow(codes))).toEqual([400, 'access_denied']);
  expect(codeOf(await page.decide('approve', { user_code: codes.user_code, ...key }))).toEqual([404, 'not_found']);
});

test('an expired login can neither be confirmed nor exchanged', async () => {
  const page = await openPage(fixture.apiKey);
  const [pending, allowed] = [await beginLogin(), await beginLogin()];
  await page.decide('approve', { user_code: allowed.user_code, ...key });
  await fixture.elsewhere.database.query("UPDATE device_login SET expires_at = now() - interval '1 s'");
  expect(codeOf(await page.read(pending.user_code))).toEqual([404, 'not_found']);
  expect(codeOf(await page.decide('approve', { user_code: pending.user_code, ...key }))).toEqual([404, 'not_found']);
  for (const codes of [pending, allowed]) expect(codeOf(await pollNow(codes))).toEqual([400, 'expired_token']);
  await fixture.elsewhere.database.query("UPDATE device_login SET expires_at = now() - interval '61 min'");
  await beginLogin();
  expect(await countRows(fixture, 'device_login', 'expires_at < now()')).toBe(0);
});

test('a login gets no more than the approving key has, and nothing once that key has lost its rights', async () => {
  const narrow = await fixture.client.rest(operations.apiKeys.create, {
    name: 'Narrow',
    scope: 'human',
    permissions: ['keys:write', 'cash:write'],
  });
  const page = await openPage(narrow.body.key);
  const codes = await beginLogin();
  const beyond = await page.decide('approve', { user_code: codes.user_code, ...key, permissions: ['wires:write'] });
  expect([...codeOf(beyond), beyond.problem.errors?.[0]?.code]).toEqual([
    422,
    'validation_failed',
    'authority_exceeded',
  ]);
  expect(codeOf(await pollNow(codes))).toEqual([400, 'authorization_pending']);
  const input = { user_code: codes.user_code, ...key, scope: 'human', name: 'Inherits' };
  expect((await page.decide('approve', input)).status).toBe(204);
  const other = await beginLogin();
  await page.decide('approve', { ...input, user_code: other.user_code });
  expect((await pollNow(codes)).body).toMatchObject({ scope: 'human', permissions: ['keys:write', 'cash:write'] });
  await fixture.client.rest(operations.apiKeys.revoke, { key_id: narrow.body.id });
  expect(codeOf(await pollNow(other))).toEqual([400, 'access_denied']);
});

test('only a session that may create keys can approve, and no page of another site', async () => {
  const codes = await beginLogin();
  const body = { user_code: codes.user_code, ...key };
  const read = await openPage(await fixture.keyOf('read'));
  for (const response of [await read.read(codes.user_code), await read.decide('approve', body)])
    expect(codeOf(response)).toEqual([403, 'insufficient_scope']);
  const page = await openPage(fixture.apiKey);
  const { 'x-csrf-token': _, ...forged } = page.headers;
  expect(codeOf(await page.decide('approve', body, { ...forged, 'x-csrf-token': '' }))).toEqual([403, 'csrf_failed']);
  const bearer = await fixture.client.send('POST', '/dashboard/device-login/approve', { body });
  expect(bearer.status).toBe(401);
  expect(codeOf(await pollNow(codes))).toEqual([400, 'authorization_pending']);
});

test('guessing codes is limited per account, not per address', async () => {
  const limited = await fixture.openBeside({
    rateLimits: { failedAuth: 5 },
  });
  const [guesser, codes] = [await limited.openTenant('Guesser'), await beginLogin(limited)];
  const [page, theirs] = [await openPage(limited.apiKey, limited), await openPage(guesser.apiKey, limited)];
  for (let i = 0; i < 5; i++) expect(codeOf(await theirs.read('BBBB-BBBB'))).toEqual([404, 'not_found']);
  const input = { user_code: codes.user_code, ...key };
  for (const stopped of [await theirs.read(codes.user_code), await theirs.decide('approve', input)])
    expect(codeOf(stopped)).toEqual([429, 'rate_limited']);
  expect((await page.decide('approve', input)).status).toBe(204);
});

test('logins per address are limited, separately from failed authentications', async () => {
  const limited = await fixture.openBeside({
    rateLimits: { failedAuth: 2 },
  });
  for (let i = 0; i < 10; i++) await beginLogin(limited);
  const another = await post(begin.http.path, { client_name: 'x' }, limited);
  expect([another.status, Number(another.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  const rejected = () => limited.client.send('GET', '/api/v1/me', { key: 'sk_live_wrong' });
  expect([(await rejected()).status, (await rejected()).status, (await rejected()).status]).toEqual([401, 401, 429]);
});

test.each(['a\r\nb', '\u001b[31m', '\u202egnp', 'a\u200bb', '\u2028', '\u0085'])(
  'a program cannot be named %j',
  async (client_name) => {
    const response = await post(begin.http.path, { client_name });
    expect([...codeOf(response), response.problem.errors?.[0]?.pointer]).toEqual([
      422,
      'validation_failed',
      '/client_name',
    ]);
  },
);

test('the verification URL is http or https, whatever a trusted proxy forwards', async () => {
  const proxied = await fixture.openBeside({
    trustedProxies: ['127.0.0.1'],
  });
  for (const [protocol, start] of [
    ['javascript', 'http://'],
    ['https', 'https://'],
  ]) {
    const headers = { 'x-forwarded-proto': protocol };
    const options = { key: null, body: { client_name: 'x' }, headers };
    const { text } = await proxied.client.send('POST', `/api/v1${begin.http.path}`, options);
    expect(JSON.parse(text).verification_uri).toMatch(new RegExp(`^${start}`));
  }
});

test.each([
  [begin.http.path, {}, '/client_name'],
  [poll.http.path, {}, '/device_code'],
  [begin.http.path, null, ''],
  [poll.http.path, null, ''],
])('%s with %j names the missing field', async (path, body, pointer) => {
  const response = await post(path, body);
  expect([...codeOf(response), response.problem.errors?.[0]?.pointer]).toEqual([422, 'validation_failed', pointer]);
});

test('an unknown code is expired_token', async () => {
  for (const device_code of ['x', 'a'.repeat(43)])
    expect(codeOf(await post(poll.http.path, { device_code }))).toEqual([400, 'expired_token']);
});

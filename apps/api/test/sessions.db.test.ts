// Risk: a page of another site acts for the signed-in person, a session exceeds its key or outlives its end, a link signs a
// browser in to a foreign account, or a link scanner uses a link up.
import { operations, type SessionState, sessionState } from '@finhook/contracts';
import { createSignInLink } from '@finhook/core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiClient, ApiResponse, SendOptions } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { type Browser, browserOf, cookieOf, openBrowser, own, signIn as sendSignIn } from './sign-in.ts';
import { untilRejected } from './until-rejected.ts';

const NAME = '__Host-finhook_session';
const codeOf = ({ status, problem }: ApiResponse) => [status, problem?.code];

const fixture = useApi();

const signIn = (api_key: string, options?: SendOptions) => sendSignIn(fixture.client, api_key, options);
const open = (api_key: string = fixture.apiKey): Promise<Browser> => openBrowser(fixture.client, api_key);

const stateAt = (browser: Browser, client: ApiClient = fixture.client) =>
  client.send<SessionState>('GET', '/dashboard/session', browser.options());

/** Waits until the session has ended for every api of `clients`. */
async function expectEnd(browser: Browser, clients: readonly ApiClient[]): Promise<void> {
  const { get } = operations.me;
  await Promise.all(
    clients.map(async (client) => {
      const ended = await untilRejected(() => client.trpc(get, {}, browser.options()));
      expect(codeOf(ended)).toEqual([401, 'session_ended']);
      expect(codeOf(await stateAt(browser, client))).toEqual([401, 'session_ended']);
    }),
  );
}

const rename = { company_id: '', name: 'Renamed' };
const mutate = (options: SendOptions) =>
  fixture.client.trpc(operations.companies.update, { ...rename, company_id: fixture.companyId }, options);

describe('signing in with a key', () => {
  test('returns the caller and a cookie with HttpOnly, SameSite and Secure', async () => {
    const response = await signIn(fixture.apiKey);
    expect(response.status).toBe(201);
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-finhook_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(sessionState.parse(response.body)).toEqual(response.body);
    expect(response.body).toMatchObject({
      object: 'session',
      role: 'owner',
      account: { id: fixture.accountId, name: 'Acme', mode: 'live' },
      api_key: { name: 'First key', scope: 'human', company_ids: null, permissions: null },
    });
    expect(response.text).not.toContain(cookieOf(response).split('=')[1]);
    const again = await stateAt(browserOf(cookieOf(response), response.body));
    expect([again.status, again.body]).toEqual([200, response.body]);
    expect(again.headers['cache-control']).toBe('no-store');
  });

  test('is rejected with the reason of the key, and for an agent key with a row in the audit log', async () => {
    expect(codeOf(await signIn('sk_live_nope'))).toEqual([401, 'invalid_api_key']);
    const { body } = await fixture.client.rest(operations.apiKeys.create, { name: 'Gone', scope: 'human' });
    await fixture.client.rest(operations.apiKeys.revoke, { key_id: body.id });
    expect(codeOf(await signIn(body.key))).toEqual([401, 'revoked_api_key']);
    const agent = await signIn(await fixture.keyOf('agent'));
    expect([...codeOf(agent), agent.problem.detail]).toEqual([
      403,
      'insufficient_scope',
      'A key with scope agent cannot sign in to the dashboard. Use a key with scope human or read.',
    ]);
    expect(agent.headers['set-cookie']).toBeUndefined();
    await expect
      .poll(() =>
        countRows(fixture, 'audit_log', `action = 'access.denied' AND after ->> 'operation' = 'sessions.open'`),
      )
      .toBe(2);
  });

  test.each<[string, SendOptions, unknown[]]>([
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, [403, 'csrf_failed']],
    ['a sibling domain', { headers: { 'sec-fetch-site': 'same-site' } }, [403, 'csrf_failed']],
    ['an address that was typed', { headers: { 'sec-fetch-site': 'none' } }, [403, 'csrf_failed']],
    ['another origin', { headers: { origin: 'https://evil.example' } }, [403, 'csrf_failed']],
    ['a page without an origin', { headers: { origin: 'null' } }, [403, 'csrf_failed']],
    ['nobody knows where', { headers: {} }, [403, 'csrf_failed']],
    ['a form', { headers: { ...own, 'content-type': 'text/plain' } }, [415, 'unsupported_media_type']],
    ['a script with no key', { body: {} }, [422, 'validation_failed']],
    ['a script with a number', { body: { api_key: 7 } }, [422, 'validation_failed']],
    ['a script with no object', { raw: '[]' }, [422, 'validation_failed']],
    ['a script with no body', { body: undefined }, [415, 'unsupported_media_type']],
    ['a script with no JSON', { raw: '{"api_key":' }, [400, 'malformed_json']],
    ['a script with a novel', { raw: `{"api_key":"${'x'.repeat(5_000)}"}` }, [413, 'body_too_large']],
  ])('by %s is rejected', async (_, options, expected) => {
    const response = await signIn(fixture.apiKey, options);
    expect(codeOf(response)).toEqual(expected);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('works over plain HTTP with the Origin of the page', async () => {
    expect((await signIn(fixture.apiKey, { headers: { origin: fixture.url } })).status).toBe(201);
  });
});

describe('a request by a session', () => {
  test('reads and writes over tRPC as its key, also in the audit log', async () => {
    const browser = await open();
    const me = await fixture.client.trpc(operations.me.get, {}, browser.options());
    expect(me.body.api_key.id).toBe(browser.state.api_key.id);
    const response = await mutate(browser.options());
    expect(response.status, response.text).toBe(200);
    const key = browser.state.api_key.id;
    expect(await countRows(fixture, 'audit_log', "action = 'companies.update' AND actor_id = $1", [key])).toBe(1);
  });

  test('that changes something needs the CSRF token of its session', async () => {
    const [browser, other] = [await open(), await open()];
    const { csrf_token } = browser.state;
    const wrong = ['', 'x', csrf_token.slice(1), `${csrf_token}x`, other.state.csrf_token];
    for (const token of wrong) {
      expect(codeOf(await mutate(browser.options({ 'x-csrf-token': token })))).toEqual([403, 'csrf_failed']);
      const out = await fixture.client.send('DELETE', '/dashboard/session', browser.options({ 'x-csrf-token': token }));
      expect(codeOf(out)).toEqual([403, 'csrf_failed']);
    }
    expect(codeOf(await mutate({ key: null, headers: { ...own, cookie: browser.cookie } }))).toEqual([
      403,
      'csrf_failed',
    ]);
    expect((await mutate(browser.options())).status).toBe(200);
  });

  test('by a page of another site is rejected, also reads and with the right token', async () => {
    const browser = await open();
    for (const site of ['cross-site', 'same-site']) {
      const options = browser.options({ 'sec-fetch-site': site });
      const responses = [
        await mutate(options),
        await fixture.client.trpc(operations.me.get, {}, options),
        await fixture.client.rest(operations.me.get, {}, options),
        await fixture.client.send('GET', '/dashboard/session', options),
      ];
      expect(responses.map(codeOf)).toEqual(responses.map(() => [403, 'csrf_failed']));
    }
    const typed = { key: null, headers: { cookie: browser.cookie, 'sec-fetch-site': 'none' } };
    expect((await fixture.client.rest(operations.me.get, {}, typed)).status).toBe(200);
  });

  test('works for reads and exports over REST, and for no writes', async () => {
    const browser = await open();
    const list = await fixture.client.rest(operations.companies.list, {}, browser.options());
    const csv = await fixture.client.send('GET', '/api/v1/companies?format=csv', browser.options());
    const head = await fixture.client.send('HEAD', '/api/v1/companies', browser.options());
    expect([list.status, csv.status, head.status]).toEqual([200, 200, 200]);
    expect(csv.text).toContain(fixture.companyId);
    const input = { ...rename, company_id: fixture.companyId };
    const changed = await fixture.client.rest(operations.companies.update, input, browser.options());
    expect(codeOf(changed)).toEqual([401, 'missing_credentials']);
  });

  test('of a page loaded in another session is rejected, and does not count as a guess', async () => {
    const [before, now] = [await open(), await open(await fixture.keyOf('human'))];
    const mixed = now.options({ 'x-session-id': before.state.id });
    const csv = '/api/v1/companies?format=csv';
    const responses = [
      await fixture.client.trpc(operations.me.get, {}, mixed),
      await fixture.client.rest(operations.me.get, {}, mixed),
      await fixture.client.send('GET', csv, mixed),
      await fixture.client.send('GET', `/dashboard/stream?session=${before.state.id}`, now.options()),
      await mutate(mixed),
    ];
    expect(responses.map(codeOf)).toEqual(responses.map(() => [401, 'session_changed']));
    const right = now.options({ 'x-session-id': now.state.id });
    expect((await fixture.client.trpc(operations.me.get, {}, right)).body.api_key.id).toBe(now.state.api_key.id);
    expect((await fixture.client.send('GET', csv, now.options())).status).toBe(200);
    for (let i = 0; i < 30; i++) expect((await fixture.client.trpc(operations.me.get, {}, mixed)).status).toBe(401);
  });

  test('with an Authorization header is authenticated by it alone', async () => {
    const browser = await open();
    const key = await fixture.keyOf('read');
    const options = { ...browser.options(), key };
    expect((await fixture.client.trpc(operations.me.get, {}, options)).body.api_key.scope).toBe('read');
    expect(codeOf(await mutate({ headers: { cookie: browser.cookie }, key: 'sk_live_wrong' }))).toEqual([
      401,
      'invalid_api_key',
    ]);
    const bare = { key, headers: { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' } };
    expect((await fixture.client.rest(operations.me.get, {}, bare)).status).toBe(200);
  });
});

describe('a session ends', () => {
  let apis: ApiClient[];
  beforeAll(async () => {
    apis = [fixture.client, await fixture.openSecondApi()];
  });
  const opened = async (key?: string) => {
    const browser = await open(key);
    for (const api of apis) expect((await stateAt(browser, api)).status).toBe(200);
    return browser;
  };

  test('with its key, also in another process', async () => {
    const { body } = await fixture.client.rest(operations.apiKeys.create, { name: 'Brief', scope: 'human' });
    const browser = await opened(body.key);
    await fixture.client.rest(operations.apiKeys.revoke, { key_id: body.id });
    await expectEnd(browser, apis);
  });

  test('by signing out, which clears the cookie and can be repeated', async () => {
    const [browser, other] = [await opened(), await opened()];
    const out = await fixture.client.send('DELETE', '/dashboard/session', browser.options());
    expect([out.status, out.text, out.headers['set-cookie']]).toEqual([
      204,
      '',
      [`${NAME}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`],
    ]);
    await expectEnd(browser, apis);
    expect((await fixture.client.send('DELETE', '/dashboard/session', browser.options())).status).toBe(204);
    expect((await stateAt(other)).status).toBe(200);
    const twin = await opened();
    await fixture.client.send('DELETE', '/dashboard/session?everywhere=true', other.options());
    await Promise.all([expectEnd(other, apis), expectEnd(twin, apis)]);
  });
});

describe('the link of an operator', () => {
  const visit = (link: string, method: string, headers: SendOptions['headers'] = {}) =>
    fixture.client.send(method, `/dashboard/sign-in?link=${encodeURIComponent(link)}`, { key: null, headers });
  const makeLink = () => createSignInLink(fixture.elsewhere, fixture.apiKey);

  test('opening a link shows a button and does not use the link', async () => {
    const link = await makeLink();
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await visit(link, method)).headers['set-cookie']).toBeUndefined();
    const page = await visit(link, 'GET', { 'sec-fetch-site': 'cross-site' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<form method="post" action="/dashboard/sign-in?link=${link}">`);
    expect(page.headers['content-security-policy']).toMatch(/form-action 'self'; .*frame-ancestors 'none'$/);
    const hostile = await visit('"><script>', 'GET');
    expect([hostile.status, hostile.text.includes('"><script>')]).toEqual([200, false]);
    const form = { ...own, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
    const pressed = await visit(link, 'POST', form);
    expect([pressed.status, pressed.headers.location]).toEqual([303, '/dashboard']);
    expect(pressed.headers['set-cookie']).toEqual([expect.stringContaining('__Host-finhook_session=')]);
    const again = await visit(link, 'POST', form);
    expect([again.headers.location, again.headers['set-cookie']]).toEqual([
      '/dashboard/sign-in?refused=link',
      undefined,
    ]);
  });

  test.each<[method: string, headers: Record<string, string>]>([
    ['GET', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['POST', {}],
    ['POST', { 'sec-fetch-site': 'cross-site' }],
    ['POST', { 'sec-fetch-site': 'same-site' }],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['POST', { origin: 'https://evil.example' }],
    ['POST', { origin: 'null' }],
  ])('%s with %j is rejected, and the link still works', async (method, headers) => {
    const link = await makeLink();
    const { status, problem, headers: got } = await visit(link, method, headers);
    expect([status, problem.code, got['set-cookie']]).toEqual([403, 'csrf_failed', undefined]);
    expect((await visit(link, 'POST', own)).headers.location).toBe('/dashboard');
  });
});

test('no token of a session or link is in the database, the activity log or a log line', async () => {
  const browser = await open();
  const link = await createSignInLink(fixture.elsewhere, fixture.apiKey);
  await fixture.client.send('POST', `/dashboard/sign-in?link=${link}`, { key: null, headers: own });
  await fixture.client.send('DELETE', '/dashboard/session', browser.options());
  const { data } = (await fixture.client.rest(operations.activity.list, { limit: 200 })).body;
  const actions = data.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['sessions.open', 'sessions.end', 'sessions.createLink']));
  const { database } = fixture.elsewhere;
  const stored = await Promise.all(
    ['session', 'sign_in_link', 'audit_log'].map((table) => database.query(`SELECT t::text FROM ${table} t`)),
  );
  const told = [JSON.stringify(stored), JSON.stringify(data), ...fixture.logLines].join('\n');
  for (const secret of [browser.cookie.split('=')[1] ?? '', link, browser.state.csrf_token, fixture.apiKey]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(told).not.toContain(secret);
  }
});

test('the log line of a request has the account and the id of the key, for every kind of authentication', async () => {
  const { accountId, apiKey, client, logLines } = fixture;
  const { body } = await client.rest(operations.me.get);
  const browser = await open();
  const link = await createSignInLink(fixture.elsewhere, apiKey);
  const authenticated = await Promise.all([
    client.rest(operations.companies.get, { company_id: 'co_unknown' }),
    client.trpc(operations.me.get),
    signIn(apiKey),
    stateAt(browser),
    client.trpc(operations.me.get, {}, browser.options()),
    client.send('POST', `/dashboard/sign-in?link=${link}`, { key: null, headers: own }),
  ]);
  const anonymous = await client.send('GET', '/api/v1/me', { key: 'sk_live_unknown' });
  const callersOf = async (responses: readonly ApiResponse[]) =>
    Promise.all(
      responses.map(({ headers }) =>
        vi.waitFor(() => {
          const line = logLines.find((text) => text.includes(`"${String(headers['x-request-id'])}","method"`));
          const { account_id, key_id }: Record<string, unknown> = JSON.parse(line ?? '');
          return [account_id, key_id];
        }),
      ),
    );
  const caller = [accountId, body.api_key.id];
  expect(await callersOf(authenticated)).toEqual(authenticated.map(() => caller));
  expect(await callersOf([anonymous])).toEqual([[undefined, undefined]]);
  expect(logLines.join()).not.toContain(apiKey);
});

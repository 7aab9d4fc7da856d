// Risk: a page of another site acts for who is signed in, a session does more than its key, or one outlives its end.
import { operations, type SessionState, sessionState } from '@finhook/contracts';
import { createSignInLink } from '@finhook/core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiClient, ApiResponse, SendOptions } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { untilRejected } from './until-rejected.ts';

const NAME = '__Host-finhook_session';
const own = { 'sec-fetch-site': 'same-origin' };
const codeOf = ({ status, problem }: ApiResponse) => [status, problem?.code];

/** A browser that is signed in. */
interface Browser {
  cookie: string;
  state: SessionState;
  /** Sends as its own page does, with both the cookie and the token against forgery. */
  options: (more?: SendOptions['headers']) => SendOptions;
}

const fixture = useApi();

function signIn(
  api_key: string,
  options: SendOptions = {},
  client = fixture.client,
): Promise<ApiResponse<SessionState>> {
  return client.send<SessionState>('POST', '/dashboard/session', {
    key: null,
    body: { api_key },
    headers: own,
    ...options,
  });
}

function cookieOf({ headers }: ApiResponse): string {
  const [set = ''] = headers['set-cookie'] ?? [];
  return set.split(';', 1)[0] ?? '';
}

function browserOf(cookie: string, state: SessionState): Browser {
  const options: Browser['options'] = (more = {}) => ({
    key: null,
    headers: { ...own, cookie, 'x-csrf-token': state.csrf_token, ...more },
  });
  return { cookie, state, options };
}

async function open(api_key: string = fixture.apiKey): Promise<Browser> {
  const response = await signIn(api_key);
  expect(response.status, response.text).toBe(201);
  return browserOf(cookieOf(response), response.body);
}

const stateAt = (browser: Browser, client: ApiClient = fixture.client) =>
  client.send<SessionState>('GET', '/dashboard/session', browser.options());

/** The session is over, within a second, for every api of `clients`. */
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
  test('S29: responds with who it is and a cookie that scripts, other sites and plain HTTP never see', async () => {
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

  test('S29: is rejected with the words of the key, and for the key of an agent, which the audit log tells', async () => {
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
  ])('S29: by %s is refused', async (_, options, expected) => {
    const response = await signIn(fixture.apiKey, options);
    expect(codeOf(response)).toEqual(expected);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('S29: over plain HTTP the origin of the page is enough', async () => {
    expect((await signIn(fixture.apiKey, { headers: { origin: fixture.url } })).status).toBe(201);
  });
});

describe('a request by a session', () => {
  test('S29: reads and changes over tRPC as its key, and is told as the key in the audit log', async () => {
    const browser = await open();
    const me = await fixture.client.trpc(operations.me.get, {}, browser.options());
    expect(me.body.api_key.id).toBe(browser.state.api_key.id);
    const response = await mutate(browser.options());
    expect(response.status, response.text).toBe(200);
    const key = browser.state.api_key.id;
    expect(await countRows(fixture, 'audit_log', "action = 'companies.update' AND actor_id = $1", [key])).toBe(1);
  });

  test('S29: that changes something needs the token of its own session', async () => {
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

  test('S29: that a page of another site makes is rejected, a read and one with the right token too', async () => {
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

  test('S29: works for what REST reads, exports too, and for nothing that REST changes', async () => {
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

  test('S17: of a page that another session loaded is rejected, and guesses nothing; one that names its own goes on', async () => {
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

  test('S29: with an Authorization header comes by that, right or wrong', async () => {
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

  test('S29: of a read key reads and changes nothing', async () => {
    const browser = await open(await fixture.keyOf('read'));
    expect(browser.state.role).toBe('viewer');
    expect((await fixture.client.trpc(operations.companies.list, {}, browser.options())).status).toBe(200);
    expect(codeOf(await mutate(browser.options()))).toEqual([403, 'insufficient_scope']);
  });

  test('S29: S8: of a narrowed key keeps to its companies and its permissions', async () => {
    const { body } = await fixture.client.rest(operations.companies.create, { name: 'Hidden' });
    const narrowing = { company_ids: [fixture.companyId], permissions: ['cash:write'] };
    const browser = await open(await fixture.keyOf('human', narrowing));
    expect([browser.state.role, browser.state.api_key]).toMatchObject(['member', narrowing]);
    const { companies, cash } = operations;
    const seen = await fixture.client.trpc(companies.list, {}, browser.options());
    expect(seen.body.data.map(({ id }) => id)).toEqual([fixture.companyId]);
    const hidden = await fixture.client.trpc(companies.get, { company_id: body.id }, browser.options());
    expect(codeOf(hidden)).toEqual([404, 'company_not_found']);
    expect(codeOf(await mutate(browser.options()))).toEqual([403, 'insufficient_scope']);
    const balance = { company_id: fixture.companyId, ...cash.balances.upsert.example };
    expect((await fixture.client.trpc(cash.balances.upsert, balance, browser.options())).status).toBe(200);
  });

  test.each(['', 'x', 'a'.repeat(43), '%00', '"'.repeat(9)])('S29: the cookie %j opens nothing', async (value) => {
    const browser = { ...(await open()), cookie: `${NAME}=${value}` };
    const options = { key: null, headers: { ...own, cookie: browser.cookie } };
    expect(codeOf(await fixture.client.rest(operations.me.get, {}, options))).toEqual([401, 'session_ended']);
    expect(codeOf(await fixture.client.send('GET', '/dashboard/session', options))).toEqual([401, 'session_ended']);
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

  test('S13: with its key, within a second, in a second process too', async () => {
    const { body } = await fixture.client.rest(operations.apiKeys.create, { name: 'Brief', scope: 'human' });
    const browser = await opened(body.key);
    await fixture.client.rest(operations.apiKeys.revoke, { key_id: body.id });
    await expectEnd(browser, apis);
  });

  test('S13: when it is revoked, by a session as well, and no other with it', async () => {
    const [browser, other] = [await opened(), await opened()];
    const { revoke, list } = operations.sessions;
    const ended = await fixture.client.trpc(revoke, { session_id: browser.state.id }, other.options());
    expect([ended.status, ended.body.status, ended.body.current]).toEqual([200, 'ended', false]);
    await expectEnd(browser, apis);
    const { data } = (await fixture.client.trpc(list, { status: 'active' }, other.options())).body;
    expect(data.filter(({ current }) => current).map(({ id }) => id)).toEqual([other.state.id]);
    expect(data.some(({ id }) => id === browser.state.id)).toBe(false);
  });

  test('S29: by signing out, which has the browser forget it; again is no fault', async () => {
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
  });

  test('S29: by signing out everywhere, with every other of its key and none of another', async () => {
    const key = await fixture.keyOf('human');
    const [browser, twin, other] = [await opened(key), await opened(key), await opened()];
    await fixture.client.send('DELETE', '/dashboard/session?everywhere=true', browser.options());
    await Promise.all([expectEnd(browser, apis), expectEnd(twin, apis)]);
    expect((await stateAt(other)).status).toBe(200);
  });
});

describe('a one-time link', () => {
  const visit = (link: string) =>
    fixture.client.send('POST', `/dashboard/sign-in?link=${encodeURIComponent(link)}`, { key: null, headers: own });
  const makeLink = () => createSignInLink(fixture.elsewhere, fixture.apiKey);

  test('S29: signs in and leads to the dashboard, once', async () => {
    const link = await makeLink();
    const first = await visit(link);
    expect([first.status, first.headers.location]).toEqual([303, '/dashboard']);
    const options = { key: null, headers: { cookie: cookieOf(first) } };
    expect((await fixture.client.send('GET', '/dashboard/session', options)).status).toBe(200);
    const second = await visit(link);
    expect([second.status, second.headers.location, second.headers['set-cookie']]).toEqual([
      303,
      '/dashboard/sign-in?refused=link',
      undefined,
    ]);
  });

  test('S29: that has expired, or never was, leads to the page that says so', async () => {
    const link = await makeLink();
    await fixture.elsewhere.database.query("UPDATE sign_in_link SET expires_at = now() - interval '1 second'");
    for (const wrong of [link, '', 'x', 'a'.repeat(43), "'"]) {
      expect([wrong, (await visit(wrong)).headers.location]).toEqual([wrong, '/dashboard/sign-in?refused=link']);
    }
  });
});

test('S29: sign-ins are told in the activity log, and no token or link is in it, in the database or in a log line', async () => {
  const browser = await open();
  const link = await createSignInLink(fixture.elsewhere, fixture.apiKey);
  await fixture.client.send('POST', `/dashboard/sign-in?link=${link}`, { key: null, headers: own });
  await fixture.client.send('DELETE', '/dashboard/session', browser.options());
  const { data } = (await fixture.client.rest(operations.activity.list, { limit: 200 })).body;
  const actions = new Set(data.map(({ action }) => action));
  expect([...actions]).toEqual(
    expect.arrayContaining(['sessions.open', 'sessions.end', 'sessions.revoke', 'sessions.createLink']),
  );
  const { database } = fixture.elsewhere;
  const stored = JSON.stringify([
    await database.query('SELECT s::text FROM session s'),
    await database.query('SELECT l::text FROM sign_in_link l'),
    await database.query('SELECT a::text FROM audit_log a'),
  ]);
  const told = [stored, JSON.stringify(data), fixture.logLines.join('\n')].join('\n');
  const token = browser.cookie.split('=')[1] ?? '';
  for (const secret of [token, link, browser.state.csrf_token, fixture.apiKey]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(told).not.toContain(secret);
  }
});

test('D-15: the log line of a request has the account and the id of the key, however it is authenticated', async () => {
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

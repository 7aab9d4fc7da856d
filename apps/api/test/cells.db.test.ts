// Risk: a request for another cell costs a look-up, counts as a guess or gets a response that no proxy can route, or a
// key of this cell is rejected.
import { once } from 'node:events';
import { request } from 'node:http';
import { deviceLoginOperations, operations, type SessionState } from '@finhook/contracts';
import { createSignInLink, generateKey, openAccount } from '@finhook/core';
import { beforeEach, expect, test } from 'vitest';
import { type ApiResponse, createApiClient } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { cookieOf, own } from './sign-in.ts';

const statements: string[] = [];
const fixture = useApi({
  cell: 'eu',
  onQuery: (sql) => void statements.push(sql),
  rateLimits: { failedAuth: 5, windowSeconds: 600 },
});
const foreignKey = generateKey('live', 'us');
const foreignToken = `us.${'t'.repeat(43)}`;
const cookie = (token: string) => ({ ...own, cookie: `__Host-finhook_session=${token}` });
const anonymous = () => createApiClient(fixture.url);

const named: Record<string, (headers?: Record<string, string>) => Promise<ApiResponse>> = {
  'a key over REST': (headers = {}) => anonymous().rest(operations.me.get, {}, { key: foreignKey, headers }),
  'a key over tRPC': (headers = {}) => anonymous().trpc(operations.me.get, {}, { key: foreignKey, headers }),
  'a key over MCP': (headers = {}) =>
    anonymous().send('POST', '/mcp', {
      key: foreignKey,
      headers,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    }),
  'a key of an export': (headers = {}) =>
    anonymous().send('GET', '/api/v1/events?format=csv', { key: foreignKey, headers }),
  'a key that signs in': (headers = {}) =>
    anonymous().send('POST', '/dashboard/session', { headers: { ...own, ...headers }, body: { api_key: foreignKey } }),
  'a session': (headers = {}) =>
    anonymous().send('GET', '/dashboard/session', { headers: { ...cookie(foreignToken), ...headers } }),
  'a session over tRPC': (headers = {}) =>
    anonymous().trpc(operations.me.get, {}, { headers: { ...cookie(foreignToken), ...headers } }),
  'the stream of a session': (headers = {}) =>
    anonymous().send('GET', '/dashboard/stream', { headers: { ...cookie(foreignToken), ...headers } }),
  'a link': (headers = {}) =>
    anonymous().send('POST', `/dashboard/sign-in?link=${foreignToken}`, { headers: { ...own, ...headers } }),
  'the poll of a login': (headers = {}) =>
    anonymous().send('POST', `/api/v1${deviceLoginOperations.poll.http.path}`, {
      headers,
      body: { device_code: foreignToken },
    }),
};

beforeEach(() => void (statements.length = 0));

test.each(Object.entries(named))(
  '%s of another cell gets 421 with the name of its cell, without a look-up and without counting as a guess',
  async (_, send) => {
    const response = await send();
    const { status, problem, headers } = response;
    expect([status, problem.code, problem['cell']], response.text).toEqual([421, 'wrong_cell', 'us']);
    expect([headers['finhook-cell'], headers['set-cookie']]).toEqual(['us', undefined]);
    expect(statements.filter((sql) => /FROM (api_key|session|sign_in_link|device_login)/.test(sql))).toEqual([]);
    for (let i = 0; i < 6; i++) expect((await send()).status).toBe(421);
    expect(fixture.logLines.filter((line) => line.includes('rejected authentication'))).toEqual([]);
  },
);

test('a credential that a proxy sent here by the header is looked up, because those of a moved account name its old cell', async () => {
  const formerCell = { ...fixture.elsewhere, cell: 'us' };
  const moved = await openAccount(formerCell, { name: 'Moved', mode: 'live', companyName: 'Moved Inc' });
  const here = { 'finhook-cell': 'eu' };
  const me = await anonymous().rest(operations.me.get, {}, { key: moved.apiKey, headers: here });
  expect([me.status, me.body.account.id]).toEqual([200, moved.accountId]);
  const link = await createSignInLink(formerCell, moved.apiKey);
  const opened = await anonymous().send('POST', `/dashboard/sign-in?link=${link}`, { headers: { ...own, ...here } });
  expect([opened.status, opened.headers.location]).toEqual([303, '/dashboard']);
  // It has its old session; a login that it begins in its old cell is not here.
  const session = { ...own, ...here, cookie: cookieOf(opened) };
  const login = await anonymous().send('GET', '/dashboard/device-login?user_code=BCDF-GHJK', { headers: session });
  expect([login.status, login.problem.detail]).toEqual([
    404,
    expect.stringContaining('begin a new login in the cell eu, that of your account'),
  ]);

  const elsewhere = { 'finhook-cell': 'us' };
  const sent = await anonymous().rest(operations.me.get, {}, { key: moved.apiKey, headers: elsewhere });
  expect([sent.status, sent.problem.code]).toEqual([421, 'wrong_cell']);
  // Unknown everywhere: only now it counts as a guess.
  const unknown = await anonymous().rest(operations.me.get, {}, { key: foreignKey, headers: here });
  expect([unknown.status, unknown.problem.code]).toEqual([401, 'invalid_api_key']);
});

test('a wrong cell is returned before the body is read', async () => {
  const { hostname, port } = new URL(fixture.url);
  const outgoing = request({
    host: hostname,
    port,
    method: 'POST',
    path: '/api/v1/companies',
    headers: { authorization: `Bearer ${foreignKey}`, 'content-type': 'application/json', 'content-length': 1000 },
  });
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  const [response] = await once(outgoing, 'response');
  expect(response.statusCode).toBe(421);
  outgoing.destroy();
});

test('a streamed batch of tRPC is rejected as a whole, so that a proxy sees the 421', async () => {
  const input = encodeURIComponent('{"0":{},"1":{}}');
  for (const names of ['me.get,companies.list', 'me.get,companies.create']) {
    const response = await anonymous().send<{ error: { data: unknown } }>(
      'GET',
      `/trpc/${names}?batch=1&input=${input}`,
      { key: foreignKey, headers: { 'trpc-accept': 'application/jsonl' } },
    );
    expect([response.status, response.headers['finhook-cell']]).toEqual([421, 'us']);
    expect(response.body.error.data).toMatchObject({ httpStatus: 421, problem: { code: 'wrong_cell', cell: 'us' } });
  }
});

test('new keys, sessions, links and logins name this cell, and lists show it', async () => {
  expect(fixture.apiKey).toMatch(/^sk_live_eu_[0-9A-Za-z]{36}$/);
  const created = await fixture.client.rest(operations.apiKeys.create, { name: 'Second', scope: 'human' });
  const rotated = await fixture.client.rest(operations.apiKeys.rotate, { key_id: created.body.id });
  for (const { body } of [created, rotated]) {
    expect(body.key).toMatch(/^sk_live_eu_/);
    expect(body.prefix).toBe(body.key.slice(0, 'sk_live_eu_AbCd'.length));
  }
  const listed = await fixture.client.rest(operations.apiKeys.list);
  expect(listed.body.data.map(({ prefix }) => prefix)).toContain(created.body.prefix);

  const link = await createSignInLink({ ...fixture.elsewhere, cell: 'eu' }, fixture.apiKey);
  expect(link).toMatch(/^eu\./);
  const opened = await anonymous().send('POST', `/dashboard/sign-in?link=${link}`, { headers: own });
  const set = opened.headers['set-cookie']?.[0] ?? '';
  expect([opened.status, set]).toEqual([303, expect.stringMatching(/^__Host-finhook_session=eu\.[\w-]{43};/)]);
  const session = { ...own, cookie: set.split(';', 1)[0] ?? '' };
  const state = await anonymous().send<SessionState>('GET', '/dashboard/session', { headers: session });
  expect([state.status, state.body.account.id]).toEqual([200, fixture.accountId]);

  const begun = await anonymous().send<{ device_code: string }>('POST', '/api/v1/device-authorization', {
    body: { client_name: 'A program' },
  });
  expect(begun.body.device_code).toMatch(/^eu\./);
});

test('a login for another cell is rejected', async () => {
  const begin = (cell: string) =>
    anonymous().send('POST', '/api/v1/device-authorization', {
      headers: { 'finhook-cell': cell },
      body: { client_name: 'A program' },
    });
  expect((await begin('eu')).status).toBe(200);
  const other = await begin('nope');
  expect([other.status, other.problem.code, other.problem['cell'], other.headers['finhook-cell']]).toEqual([
    421,
    'wrong_cell',
    'nope',
    'nope',
  ]);
  expect(other.problem.detail).toBe(
    'The request is for the cell nope, and this is the cell eu. Correct the name of the cell.',
  );
});

test('keys and sessions without a cell work where they are stored, and count as guesses elsewhere', async () => {
  const before = { ...fixture.elsewhere, cell: '' };
  const old = await openAccount(before, { name: 'Old', mode: 'live', companyName: 'Old Inc' });
  expect(old.apiKey).toMatch(/^sk_live_[0-9A-Za-z]{36}$/);
  expect((await anonymous().rest(operations.me.get, {}, { key: old.apiKey })).status).toBe(200);
  statements.length = 0;
  const unknown = await anonymous().rest(operations.me.get, {}, { key: generateKey('live') });
  expect([unknown.status, unknown.problem.code]).toEqual([401, 'invalid_api_key']);
  expect(statements.filter((sql) => sql.includes('FROM api_key'))).not.toEqual([]);
});

test('the first key of another cell is rejected at the start', async () => {
  const opening = openAccount(
    { ...fixture.elsewhere, cell: 'eu' },
    { name: 'X', mode: 'live', companyName: 'X', key: foreignKey },
  );
  await expect(opening).rejects.toThrow('BOOTSTRAP_API_KEY is a key of the cell us, and CELL is eu');
});

test('an invalid cell name is not repeated in the response', async () => {
  for (const cell of ['x'.repeat(3_000), '"<b>', 'EU', 'eu us']) {
    const options = { key: null, body: { client_name: 'x' }, headers: { 'finhook-cell': cell } };
    const { status, headers, text } = await anonymous().send('POST', '/api/v1/device-authorization', options);
    expect([status, headers['finhook-cell'], text.includes(cell)]).toEqual([421, undefined, false]);
  }
});

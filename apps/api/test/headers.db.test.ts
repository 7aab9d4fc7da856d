// Risk: a response can be cached, framed or read by a web page, or cannot be traced to its request; a poller gets 304
// although something changed.

import { operations } from '@finhook/contracts';
import { serviceVersion } from '@finhook/runtime';
import { beforeAll, expect, test } from 'vitest';
import type { ApiResponse } from './api-client.ts';
import { type ApiFixture, useApi } from './api-fixture.ts';
import { expectProtectedResponse } from './operation-walk.ts';

const fixture = useApi();
let responses: [string, ApiResponse][];

beforeAll(async () => {
  const { client } = fixture;
  const origin = { headers: { origin: 'https://evil.example' } };
  const preflight = {
    ...origin.headers,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  responses = [
    ['404', await client.send('GET', '/api/v1/nothing', origin)],
    ['404 elsewhere', await client.send('GET', '/nothing', origin)],
    ['bad path', await client.send('GET', '/api/v1/%ff', origin)],
    ['405', await client.send('PUT', '/api/v1/companies', origin)],
    ['405 of QUERY', await client.send('QUERY', '/api/v1/companies', origin)],
    ['preflight', await client.send('OPTIONS', '/api/v1/companies', { headers: preflight })],
    ['trpc preflight', await client.send('OPTIONS', '/trpc/me.get', { headers: preflight })],
    ['trpc 404', await client.send('GET', '/trpc/no.such', origin)],
    ['mcp', await client.send('POST', '/mcp', origin)],
    ['openapi', await client.send('GET', '/api/v1/openapi.json', origin)],
    ['health', await client.send('GET', '/healthz', origin)],
    ['entry', await client.send('GET', '/api/v1', origin)],
    ['error page', await client.send('GET', '/docs/errors/not_found', origin)],
    ['ready', await client.send('GET', '/readyz', origin)],
    ['400', await client.send('POST', '/api/v1/companies', { raw: '{', ...origin })],
  ];
});

test('every response has a request id of its own', () => {
  const ids = responses.map(([, { headers }]) => headers['x-request-id']);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(new Set(ids).size).toBe(responses.length);
});

test('a caller’s valid request id comes back beside it, an invalid one does not', async () => {
  const send = (id: string) => fixture.client.send('GET', '/api/v1/me', { headers: { 'x-request-id': id } });
  const response = await send('job-42.retry_1');
  expect(response.headers['x-client-request-id']).toBe('job-42.retry_1');
  expect(response.headers['x-request-id']).toMatch(/^req_/);
  for (const id of ['a b', 'x'.repeat(129), 'a<b>', ''])
    expect((await send(id)).headers['x-client-request-id']).toBeUndefined();
});

test('every response has its version and no-store, and allows no script and no other origin', () => {
  for (const [name, response] of responses)
    expectProtectedResponse(name, response, name === 'openapi' || name === 'error page');
});

test('OPTIONS returns the methods of a known path and allows no other origin', async () => {
  const preflight = responses.find(([name]) => name === 'preflight')?.[1];
  expect([preflight?.status, preflight?.headers['allow'], preflight?.text]).toEqual([
    204,
    'GET, HEAD, OPTIONS, POST',
    '',
  ]);
  expect((await fixture.client.send('OPTIONS', '/api/v1/nothing')).status).toBe(404);
});

test('responses over TLS, also by a trusted proxy, have HSTS', async () => {
  const strict = async ({ client }: ApiFixture, proto: string | undefined) => {
    const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto };
    const sent = [
      await client.send('GET', '/api/v1/me', { headers }),
      await client.send('GET', '/nothing', { headers }),
    ];
    return sent.map((response) => response.headers['strict-transport-security']);
  };
  const proxied = await fixture.openBeside({
    trustedProxies: ['127.0.0.1/32'],
  });
  expect(await strict(proxied, 'https')).toEqual(['max-age=31536000', 'max-age=31536000']);
  for (const [api, proto] of [
    [proxied, 'http'],
    [proxied, undefined],
    [fixture, 'https'],
  ] as const) {
    expect(await strict(api, proto)).toEqual([undefined, undefined]);
  }
});

test('the OpenAPI document is compressed for clients that accept it, and 304 for those that have it', async () => {
  const get = (headers: Record<string, string>) => fetch(`${fixture.url}/api/v1/openapi.json`, { headers });
  const plain = await get({ 'accept-encoding': 'br, gzip;q=0' });
  const zipped = await get({ 'accept-encoding': 'br;q=1.0, GZIP;q=0.8' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(Number(zipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 4);
  expect(await zipped.json()).toEqual(await plain.json());
  expect(zipped.headers.get('vary')).toBe('accept-encoding');
  const tag = zipped.headers.get('etag') ?? '';
  expect(tag).not.toBe(plain.headers.get('etag'));
  const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': tag });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('QUERY is rejected like any method that a path does not know', () => {
  const query = responses.find(([name]) => name === '405 of QUERY')?.[1];
  expect([query?.status, query?.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
});

test('an Accept header that excludes the content type is 406, before anything is stored', async () => {
  const { client, companyId } = fixture;
  const list = `/api/v1/companies/${companyId}/bank/transactions`;
  const accepting = (accept: string) => ({ headers: { accept } });
  const before = (await client.rest(operations.companies.list)).body.data.length;
  const body = { name: 'Ruled out' };
  const created = await client.send('POST', '/api/v1/companies', { ...accepting('text/html'), body });
  const page = await client.send('GET', list, accepting('text/csv'));
  const json = 'application/json';
  expect([created, page].map(({ status, problem }) => [status, problem.code, problem['available']])).toEqual([
    [406, 'not_acceptable', [json]],
    [
      406,
      'not_acceptable',
      [json, 'text/csv (format=csv)', 'application/x-ndjson (format=ndjson)', 'text/csv (format=spreadsheet)'],
    ],
  ]);
  expect((await client.rest(operations.companies.list)).body.data).toHaveLength(before);
  const statusOf = async (format: string) =>
    (await client.send('GET', `${list}?format=${format}`, accepting('text/csv'))).status;
  expect([await statusOf('csv'), await statusOf('ndjson'), await statusOf('constructor')]).toEqual([200, 406, 406]);
});

test.each(['/%6fps/', '/%6Fps/sign-in', '/api/v1/%6de', '/api/v1/companies/co%5F1', '/%68ealthz', '/trpc/me%2Eget'])(
  '%s is not found: a path has one spelling',
  async (path) => {
    const response = await fixture.client.send('GET', path);
    expect([response.status, response.problem.code]).toEqual([404, 'not_found']);
    expect(response.problem.detail).toContain('without percent-encoding');
  },
);

test('HEAD responds like GET without a body', async () => {
  const head = await fixture.client.send('HEAD', '/api/v1/companies');
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await fixture.client.send('HEAD', '/api/v1/companies', { key: null })).status).toBe(401);
});

test.each(['', '/api/v1'])(
  '%s/healthz reports the process and readyz its stores, without a key; readyz not through a proxy',
  async (prefix) => {
    expect((await fixture.client.send('GET', `${prefix}/healthz`, { key: null })).body).toEqual({
      status: 'ok',
      version: serviceVersion(),
    });
    const ready = await fixture.client.send('GET', `${prefix}/readyz`, { key: null });
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', checks: { database: 'ok', queue: 'ok' } }]);
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }]) {
      const forwarded = (path: string) => fixture.client.send('GET', prefix + path, { key: null, headers });
      const hidden = await forwarded('/readyz');
      expect([hidden.status, hidden.problem.code, hidden.text.includes('database')]).toEqual([404, 'not_found', false]);
      expect((await forwarded('/healthz')).status).toBe(200);
    }
  },
);

test.each([
  '/',
  '/docs/api/me.get',
  '/llms.txt',
  '/readyz',
  '/api/v1/openapi.json',
  '/dashboard/webhooks',
  '/dashboard/stream',
])('%s is read only: another method is 405 with Allow', async (path) => {
  const response = await fixture.client.send('POST', path, { body: {} });
  expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  ['/dashboard/session', 'DELETE, GET, HEAD, OPTIONS, POST'],
  ['/trpc/me.get', 'GET, HEAD, OPTIONS, POST'],
])('%s returns its methods for an unknown one', async (path, allowed) => {
  const response = await fixture.client.send('PATCH', path, { body: {} });
  expect([response.status, response.headers['allow']]).toEqual([405, allowed]);
});

const { financials, cash, bank } = operations;
const summary = (tag?: string, method: 'rest' | 'trpc' = 'rest') =>
  fixture.client[method](
    financials.summary,
    { company_id: fixture.companyId },
    tag === undefined ? {} : { headers: { 'if-none-match': tag } },
  );
const post = (balance_cents: number) =>
  fixture.client.rest(cash.balances.upsert, {
    company_id: fixture.companyId,
    as_of: new Date().toISOString().slice(0, 10),
    balance_cents,
    currency: 'USD',
  });
const tagOf = async (): Promise<string> => String((await summary()).headers['etag']);

test('the ETag of the summary changes with its figures', async () => {
  await post(100);
  const first = await summary();
  const tag = String(first.headers['etag']);
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
  expect(await tagOf()).toBe(tag);
  const again = await summary(tag);
  expect([again.status, again.text, again.headers['etag'], again.headers['content-type']]).toEqual([
    304,
    '',
    tag,
    undefined,
  ]);
  expect(again.headers['cache-control']).toBe('private, no-cache');
  await post(101);
  const changed = await summary(tag);
  expect([changed.status, changed.body.cash.headline?.balance_cents]).toEqual([200, 101]);
  await fixture.client.rest(bank.transactions.ingest, {
    company_id: fixture.companyId,
    external_id: 'x',
    posted_at: new Date().toISOString(),
    amount_cents: -5,
  });
  expect(await tagOf()).not.toBe(changed.headers['etag']);
});

test.each([
  ['weak', (tag: string) => `W/${tag}`, 304],
  ['one of several', (tag: string) => `"a", ${tag}`, 304],
  ['any', () => '*', 304],
  ['without quotes', (tag: string) => tag.replaceAll('"', ''), 200],
  ['another', () => '"a"', 200],
])('RFC 9110: an If-None-Match that is %s', async (_, header, status) => {
  expect((await summary(header(await tagOf()))).status).toBe(status);
});

test('HEAD has the tag of GET; tRPC knows none', async () => {
  const path = `/api/v1/companies/${fixture.companyId}/financials/summary`;
  const tag = await tagOf();
  const head = await fixture.client.send('HEAD', path);
  expect([head.status, head.headers['etag'], head.text]).toEqual([200, tag, '']);
  const other = await summary(tag, 'trpc');
  expect([other.status, other.headers['etag'], other.headers['cache-control']]).toEqual([200, undefined, 'no-store']);
});

test('an ETag grants no access: without a key 401, for another account 404', async () => {
  const tag = await tagOf();
  const stranger = await fixture.openTenant('Stranger');
  const headers = { 'if-none-match': tag };
  const input = { company_id: fixture.companyId };
  expect((await fixture.client.rest(financials.summary, input, { key: null, headers })).status).toBe(401);
  expect((await stranger.client.rest(financials.summary, input, { headers })).status).toBe(404);
});
